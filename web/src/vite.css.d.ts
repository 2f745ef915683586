/** Types of imported styles and pictures, which the build replaces. */
declare module "*.css";
declare module "*.svg" {
  const address: string;
  export default address;
}
