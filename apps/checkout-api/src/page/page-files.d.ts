/** The build and Jest import style sheets and the browser script as text. */
declare module '*.css' {
  const text: string;
  export default text;
}
declare module '*?script' {
  const text: string;
  export default text;
}
