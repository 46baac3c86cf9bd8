type Listener = (event: unknown) => void;

/** The script reads the document when it is loaded, so create this first. */
export function pageUnderTest(texts: object, dataset: Readonly<Record<string, string>> = {}) {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'document');
  const listeners = new Map<string, Listener>();
  const parts = new Map<string, unknown>();
  const main = { dataset: { texts: JSON.stringify(texts), id: 'an-intent', ...dataset } };
  const made: Record<string, unknown>[] = [];
  const page: Record<string, unknown> = {
    getElementById: () => main,
    querySelector: (selector: string) => parts.get(selector) ?? null,
    addEventListener: (type: string, listener: Listener) => void listeners.set(type, listener),
    body: { append: () => undefined },
    createElement() {
      const element = { select: () => undefined, remove: () => undefined };
      made.push(element);
      return element;
    },
  };
  Object.defineProperty(globalThis, 'document', { value: page, configurable: true });
  return {
    page,
    /** Elements that the script has created. */
    made,
    add: (selector: string, part: unknown) => void parts.set(selector, part),
    dispatch: (type: string, event: unknown) => listeners.get(type)?.(event),
    close() {
      if (before) Object.defineProperty(globalThis, 'document', before);
      else Reflect.deleteProperty(globalThis, 'document');
    },
  };
}
