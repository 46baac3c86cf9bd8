/** A text as it was sent or stored; a long one scrolls inside its box. */
export function CodeBlock({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <pre className="code-block" tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  );
}

/** Indented if it is JSON. */
export function readableJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
