import type { OperationId } from '../src/api/operations';
import { answerIn, exampleAnswers } from './example-answers';
import type { openPage as open, PageRequest } from './open-page';
import { act } from './use-page';

export const EXAMPLES = exampleAnswers();

type Open = typeof open;
type Around = Pick<PageRequest, 'hasEnded' | 'isSignedOut'>;
export type Answers = Partial<Record<OperationId, (input: object) => unknown>>;
type Call = readonly [OperationId, { readonly body?: unknown; readonly query?: unknown }];

/** A page of an OWNER whose requests are answered with the examples of the API description, or with these answers. */
export async function pageUnderTest(openPage: Open, place: string, answers: Answers = {}, more: Around = {}) {
  const calls: Call[] = [];
  const opened: string[] = [];
  const page = openPage({
    place,
    role: 'OWNER',
    ...more,
    onNavigate: (to) => void opened.push(to),
    answer: (id, input) => {
      calls.push([id, input]);
      return answers[id] ? answers[id](input) : answerIn('SANDBOX', EXAMPLES[id]);
    },
  });
  let html = await page.draw();
  const then = async (action: () => unknown) => {
    await act(page, action);
    html = await page.draw();
  };
  return {
    // Amounts are written with a space that does not break.
    html: () => html.replaceAll('\u00a0', ' '),
    focused: () => page.focused(),
    reload: async () => {
      await page.reload();
      html = await page.draw();
    },
    /** The addresses that the page has opened without a link. */
    opened: () => opened,
    go: (to: string) => then(() => page.go(to)),
    queriesOf: (id: OperationId) => calls.filter(([called]) => called === id).map(([, { query }]) => query),
    bodiesOf: (id: OperationId) => calls.filter(([called]) => called === id).map(([, { body }]) => body),
    enter: (label: string, value: string) =>
      then(() =>
        page
          .drawn()
          .fields.find((field) => field.label.replaceAll('\u00a0', ' ').startsWith(label))
          ?.enter(value),
      ),
    toggle: (label: string, value: string) =>
      then(() =>
        page
          .drawn()
          .groups.find((group) => group.label === label)
          ?.toggle(value),
      ),
    click: (name: string, clicks?: number) =>
      then(() =>
        page
          .drawn()
          .controls.find((control) => control.name.startsWith(name))
          ?.click(clicks),
      ),
    submit: async () => {
      for (const form of page.drawn().forms) await then(form);
    },
    submitTwiceAtOnce: async () => {
      for (const form of page.drawn().forms) await then(() => [form(), form()]);
    },
  };
}

/** The example of an answer with other fields, also of its parts. */
export function exampleWith(id: OperationId, fields: Readonly<Record<string, unknown>>): unknown {
  const example = EXAMPLES[id] as Readonly<Record<string, object>>;
  const changed = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...example[name], ...value } : value,
  ]);
  return answerIn('SANDBOX', { ...example, ...Object.fromEntries(changed) });
}
