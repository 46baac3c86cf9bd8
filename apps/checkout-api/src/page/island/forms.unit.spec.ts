import type * as Forms from './forms';
import { pageUnderTest } from '../../../test/page-under-test';

const TEXTS = {
  sending: 'Sending…',
  unreachable: 'No connection',
  limited: 'Too many',
  malformed: 'Enter it',
  language: 'en',
};
const SUBMIT = 'Check my payment';

describe('the form for a TrxID', () => {
  const realFetch = globalThis.fetch;
  let page: ReturnType<typeof pageUnderTest>;
  let form: ReturnType<typeof aForm>;

  beforeEach(() => {
    jest.resetModules();
    jest.useFakeTimers();
    page = pageUnderTest(TEXTS);
    form = aForm(page);
  });
  afterEach(() => {
    jest.useRealTimers();
    page.close();
    globalThis.fetch = realFetch;
  });

  const submit = async () => {
    jest.requireActual<typeof Forms>('./forms').listenForTrxId();
    page.dispatch('submit', { target: form.element, preventDefault: () => undefined });
    await jest.advanceTimersByTimeAsync(0);
  };
  const ended = { button: SUBMIT, isDisabled: false };

  it.each([200, 409])('can be sent again after a response %s whose body is incomplete or not JSON', async (status) => {
    globalThis.fetch = () => Promise.resolve(aPage(status));

    await submit();

    expect(form.state()).toEqual({ ...ended, answer: TEXTS.unreachable });
  });

  it('can be sent again if no response comes within 15 seconds', async () => {
    globalThis.fetch = (_url, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))));

    await submit();
    expect(form.state()).toEqual({ button: TEXTS.sending, isDisabled: true, answer: undefined });
    await jest.advanceTimersByTimeAsync(15_000);

    expect(form.state()).toEqual({ ...ended, answer: TEXTS.unreachable });
  });

  it('explains an empty field in the language of the page instead of that of the browser', async () => {
    jest.requireActual<typeof Forms>('./forms').listenForTrxId();
    page.dispatch('click', { target: { closest: (id: string) => (id === '#trx-form' ? form.element : null) } });
    expect(form.element).toMatchObject({ noValidate: true });

    form.enter('');
    await submit();

    expect(form.state()).toEqual({ ...ended, answer: TEXTS.malformed });
  });

  it('shows that there were too many attempts, whatever the body is', async () => {
    globalThis.fetch = () => Promise.resolve(aPage(429));

    await submit();

    expect(form.state()).toEqual({ ...ended, answer: TEXTS.limited });
  });
});

function aPage(status: number): Response {
  return { status, json: () => Promise.reject(new SyntaxError('Unexpected token <')) } as Response;
}

function aForm(page: ReturnType<typeof pageUnderTest>) {
  const attributes = new Map<string, string>();
  const answers: { textContent: string }[] = [];
  const button = {
    textContent: SUBMIT,
    getAttribute: (name: string) => attributes.get(name) ?? null,
    setAttribute: (name: string, value: string) => void attributes.set(name, value),
    removeAttribute: (name: string) => void attributes.delete(name),
  };
  const input = {
    id: 'trx',
    value: 'DKL4A1B2C3',
    isConnected: false,
    setAttribute: () => undefined,
    removeAttribute: () => undefined,
  };
  const parts: Readonly<Record<string, unknown>> = { '#trx': input, button };
  page.add('#trx-answer', { replaceChildren: (...lines: { textContent: string }[]) => answers.push(...lines) });
  return {
    element: { id: 'trx-form', querySelector: (selector: string) => parts[selector] ?? null },
    enter: (value: string) => void (input.value = value),
    state: () => ({
      button: button.textContent,
      isDisabled: attributes.get('aria-disabled') === 'true',
      answer: answers.at(-1)?.textContent,
    }),
  };
}
