/**
 * What a drawn page can do, without a browser. The build of `load-pages.ts` lets elements of pages register here and
 * keeps the states of their components from one drawing to the next.
 */
export interface Control {
  /** The operation that the control names, if any, and its text. */
  readonly name: string;
  /** `clicks`: the number of the click in a row at one place, 2 for the second one of a double click. */
  readonly click: (clicks?: number) => unknown;
}

export interface Field {
  readonly label: string;
  /** Without a value it enters one that the field accepts. */
  readonly enter: (value?: string) => unknown;
}

/** Check boxes of which several can be chosen. */
interface Group {
  readonly label: string;
  /** Checks or unchecks one of them. */
  readonly toggle: (value: string) => unknown;
}

/** A field that its form requires, as a browser would give it to the form. */
interface RequiredField {
  readonly id: unknown;
  readonly value: unknown;
  readonly focus: () => void;
}

export interface Drawn {
  readonly controls: readonly Control[];
  readonly fields: readonly Field[];
  readonly groups: readonly Group[];
  readonly forms: readonly (() => unknown)[];
  readonly requiredFields: readonly RequiredField[];
  readonly hasDialog: boolean;
}

type Props = Readonly<Record<string, unknown>>;
type Handler = (event: unknown) => unknown;

const states = new Map<string, unknown>();
let changes = 0;
let uses = new Map<string, number>();
let drawn = nothing();
let focused = '';

function nothing() {
  return {
    controls: [] as Control[],
    fields: [] as Field[],
    groups: [] as Group[],
    forms: [] as (() => unknown)[],
    requiredFields: [] as RequiredField[],
    hasDialog: false,
  };
}

export function beginDrawing(): void {
  uses = new Map();
  drawn = nothing();
}

export const lastDrawn = (): Drawn => drawn;

/** The label of the field that a form has focused last. */
export const lastFocused = (): string => focused;

/** A number that grows with every change of a state. */
export const changesOfStates = (): number => changes;

/** A change that is not of a state. */
export const registerChange = (): void => void (changes += 1);

export const forgetStates = (): void => states.clear();

export function registerDialog(): void {
  drawn.hasDialog = true;
}

/**
 * `useState` of the component at a place in the source. The number of its uses in a drawing tells its instances apart.
 */
export function stateAt(place: string) {
  return (initial?: unknown): readonly [unknown, (next: unknown) => void] => {
    const number = uses.get(place) ?? 0;
    uses.set(place, number + 1);
    const key = `${place} ${number}`;
    if (!states.has(key)) states.set(key, valueOf(initial));
    const set = (next: unknown) => {
      states.set(key, valueOf(next, states.get(key)));
      changes += 1;
    };
    return [states.get(key), set];
  };
}

function valueOf(given: unknown, before?: unknown): unknown {
  return typeof given === 'function' ? (given as (before: unknown) => unknown)(before) : given;
}

/** Called for every element that a page makes. */
export function registerElement(type: unknown, props: Props): void {
  const { onClick, onChange, onSubmit, value: values } = props;
  // An action button may be hidden; if it is shown, it makes a button.
  if (typeof onClick === 'function' && !Array.isArray(props['action']) && props['disabled'] !== true)
    drawn.controls.push({ name: nameOf(props), click: (clicks = 1) => (onClick as Handler)(eventOf('', clicks)) });
  if (typeof onChange === 'function' && Array.isArray(values)) {
    const without = (value: string) => values.filter((each) => each !== value);
    const toggle = (value: string) =>
      (onChange as Handler)(values.includes(value) ? without(value) : [...values, value]);
    drawn.groups.push({ label: String(props['label']), toggle });
  }
  // A file is not typed.
  else if (typeof onChange === 'function' && !('accept' in props))
    drawn.fields.push({
      label: [props['label'], props['aria-label'], ''].find((text) => typeof text === 'string') as string,
      enter: (value = enteredIn(props)) => (onChange as Handler)(eventOf(value)),
    });
  if (props['required'] === true) {
    const focus = () => (focused = String(props['label']));
    drawn.requiredFields.push({ id: props['id'], value: props['value'], focus });
  }
  if ((type === 'form' || props['component'] === 'form') && typeof onSubmit === 'function')
    drawn.forms.push(() => (onSubmit as Handler)(eventOf('')));
}

function nameOf(props: Props): string {
  const texts = [props['data-operation'], props['children'], props['aria-label']];
  return texts.filter((text) => typeof text === 'string').join(' ');
}

function eventOf(value: string, detail = 0): unknown {
  const target = { value, checked: true, querySelectorAll: () => drawn.requiredFields };
  return { currentTarget: target, target, detail, preventDefault: () => undefined, stopPropagation: () => undefined };
}

function enteredIn({ type, data, value, label }: Props): string {
  if (Array.isArray(data)) {
    const values = data.map((each) => (typeof each === 'object' ? (each as { value: string }).value : String(each)));
    return values.find((each) => each !== '' && each !== value) ?? '';
  }
  if (type === 'datetime-local') return '2026-11-23T14:05';
  if (type === 'date') return '2026-11-23';
  const text = typeof label === 'string' ? label.toLowerCase() : '';
  const [, entered] = ENTERED.find(([words]) => words.test(text)) ?? [];
  return entered ?? 'correct-horse-battery-staple';
}

const ENTERED = [
  [/e-mail/, 'rahim@shop.example'],
  [/url|address/, 'https://shop.example/hook'],
  [/number/, '01712345678'],
  [/\bid\b/, '01935002-0000-7000-8000-00000000b001'],
  [/code/, '123456'],
  [/amount|limit/, '500'],
  [/hours|per day|seconds/, '12'],
  [/status/, '200'],
] as const;
