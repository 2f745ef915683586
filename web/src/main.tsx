/** The studio's page: takes the token, then shows the view that the address names. */
import { render } from "preact";
import { App } from "./app.tsx";
import { takeToken } from "./lib/api.ts";
import "./style/theme.css";
import "./style/page.css";

takeToken();
const page = document.getElementById("page")!;
page.textContent = "";
render(<App />, page);
