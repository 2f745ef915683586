/** The default theme with our style sheet, and with the one that lays out formulas. */
import DefaultTheme from "vitepress/theme";
import "temml/dist/Temml-Local.css";
import "./style.css";

export default DefaultTheme;
