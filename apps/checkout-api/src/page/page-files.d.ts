/** What the build, and Jest, make of a style sheet and of a browser's script: the text that is sent. */
declare module '*.css' {
  const text: string;
  export default text;
}
declare module '*?script' {
  const text: string;
  export default text;
}
