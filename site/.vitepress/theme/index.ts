/** The default theme, with names of files above their code. */
import DefaultTheme from "vitepress/theme";
import "./style.css";

export default DefaultTheme;
