/**
 * The script of the report, as text that goes into the page. It shows values under the pointer in charts and on tokens,
 * and controls the rollout list (filter, select, arrow keys). Without it, the page still shows everything.
 */
export const pageScript = `
"use strict";
const tip = document.getElementById("tip");
const showTip = (text, x, y) => {
  tip.textContent = text;
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(6, Math.min(x + 12, innerWidth - box.width - 6)) + "px";
  tip.style.top = (y - box.height - 12 > 0 ? y - box.height - 12 : y + 16) + "px";
};
const hideTip = () => { tip.hidden = true; };

for (const svg of document.querySelectorAll("svg[data-points]")) {
  const points = JSON.parse(svg.dataset.points);
  const cursor = svg.querySelector(".cursor");
  const move = (event) => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
    const nearest = points.reduce((a, b) => (Math.abs(b[0] - x) < Math.abs(a[0] - x) ? b : a));
    cursor.removeAttribute("hidden");
    cursor.querySelector("line").setAttribute("x1", nearest[0]);
    cursor.querySelector("line").setAttribute("x2", nearest[0]);
    cursor.querySelector("circle").setAttribute("cx", nearest[0]);
    cursor.querySelector("circle").setAttribute("cy", nearest[1]);
    showTip(nearest[2] + ": " + nearest[3], event.clientX, event.clientY);
  };
  svg.addEventListener("pointermove", move);
  svg.addEventListener("pointerdown", move);
  svg.addEventListener("pointerleave", () => { cursor.setAttribute("hidden", ""); hideTip(); });
}

const overToken = (event) => {
  const token = event.target.closest?.("[data-note]");
  if (token) showTip(token.dataset.note, event.clientX, event.clientY);
  else if (!event.target.closest?.("svg[data-points]")) hideTip();
};
document.addEventListener("pointerover", overToken);
document.addEventListener("pointerdown", overToken);

const items = [...document.querySelectorAll(".list li")];
const articles = [...document.querySelectorAll(".detail article")];
const choose = (index) => {
  articles.forEach((article, i) => { article.hidden = i !== index; });
  items.forEach((item, i) => {
    const link = item.firstElementChild;
    if (i === index) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  });
  const detail = document.querySelector(".detail");
  if (detail) detail.scrollTop = 0;
};
const form = document.querySelector(".filters");
const filter = () => {
  const words = form.task.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let found = 0;
  for (const item of items) {
    const fits = (!form.phase.value || item.dataset.phase === form.phase.value)
      && (!form.passed.value || item.dataset.passed === form.passed.value)
      && words.every((word) => item.dataset.words.includes(word));
    item.hidden = !fits;
    if (fits) found++;
  }
  form.found.value = found === items.length ? "" : found + " of " + items.length;
};
if (form && items.length > 0) {
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  items.forEach((item, i) => item.firstElementChild.addEventListener("click", (event) => {
    event.preventDefault();
    history.replaceState(null, "", "#rollout-" + i);
    choose(i);
  }));
  document.querySelector(".list").addEventListener("keydown", (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const visible = items.filter((item) => !item.hidden);
    const at = visible.indexOf(document.activeElement.parentElement);
    const next = visible[at + step];
    if (next) { next.firstElementChild.focus(); choose(items.indexOf(next)); }
  });
  const wanted = Number((location.hash.match(/^#rollout-(\\d+)$/) || [])[1] ?? 0);
  choose(wanted < articles.length ? wanted : 0);
  if (wanted > 0) items[wanted]?.scrollIntoView({ block: "nearest" });
}
`;
