/** The default theme with our style sheet, which styles file names above code blocks. */
import DefaultTheme from "vitepress/theme";
import "./style.css";

export default DefaultTheme;
