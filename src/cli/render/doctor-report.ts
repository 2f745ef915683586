/**
 * Shows the report of `bowline doctor` on a server as text: for each topic the verdict, the evidence and the
 * consequence.
 */
import { tinkerDoctor as doctor, type tinkerDoctor } from "../../engine/index.ts";
import { formatCount, formatDuration, pluralize } from "../../report/index.ts";
import type { Channel, Style } from "../terminal.ts";
import { padEnd, wrapText } from "./text.ts";

const MARKS: { readonly [verdict in tinkerDoctor.Verdict]: readonly [string, Style] } = {
  ok: ["✓", "green"],
  deviates: ["!", "yellow"],
  unsupported: ["–", "blue"],
  unknown: ["?", "magenta"],
};
const VERDICT_WIDTH = 11;

export function renderDoctorReport(report: tinkerDoctor.Report, channel: Channel): string {
  const { paint } = channel;
  return [
    paint("bold", `${report.url}   ${report.model}`),
    "",
    ...report.findings.flatMap((finding) => findingLines(finding, channel)),
    "",
    ...(report.stopped ? ["  stopped before all topics were examined"] : []),
    `  ${summarizeVerdicts(report)}`,
    paint("dim", `  ${describeCost(report)}`),
  ].join("\n");
}

function findingLines(finding: tinkerDoctor.Finding, { paint, columns }: Channel): string[] {
  const [mark, style] = MARKS[finding.verdict];
  const title = doctor.TOPICS[finding.topic];
  const head = `  ${paint(style, mark)} ${paint(style, padEnd(finding.verdict, VERDICT_WIDTH))} ${paint("bold", title)}`;
  const indent = " ".repeat(VERDICT_WIDTH + 5);
  const width = Math.max(30, Math.min(columns, 120) - indent.length);
  const lines = wrapText(finding.evidence, width);
  const consequence =
    finding.consequence === "none" || finding.verdict === "ok"
      ? []
      : wrapText(`→ ${finding.consequence}`, width);
  return [
    head,
    ...lines.map((line) => indent + line),
    ...consequence.map((line) => indent + paint("cyan", line)),
  ];
}

function summarizeVerdicts({ findings }: tinkerDoctor.Report): string {
  const verdicts: readonly tinkerDoctor.Verdict[] = ["ok", "deviates", "unsupported", "unknown"];
  return verdicts
    .map((verdict) => [findings.filter((finding) => finding.verdict === verdict).length, verdict])
    .filter(([amount]) => amount !== 0)
    .map(([amount, verdict]) => `${amount} ${verdict}`)
    .join(" · ");
}

function describeCost({ cost, seconds }: tinkerDoctor.Report): string {
  const { requests, prefillTokens, sampledTokens, trainedTokens, optimizerSteps } = cost;
  return `${pluralize(requests, "request")} in ${formatDuration(seconds)}: ${formatCount(prefillTokens)} prompt tokens, ${formatCount(sampledTokens)} sampled, ${formatCount(trainedTokens)} trained, ${pluralize(optimizerSteps, "optimizer step")}`;
}
