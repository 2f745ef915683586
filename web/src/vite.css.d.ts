/** Styles and pictures are imported for the build alone. */
declare module "*.css";
declare module "*.svg" {
  const address: string;
  export default address;
}
