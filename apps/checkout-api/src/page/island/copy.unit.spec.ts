import type * as Copy from './copy';
import { pageUnderTest } from '../../../test/page-under-test';

describe('copying by a tap', () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  let page: ReturnType<typeof pageUnderTest>;

  beforeEach(() => {
    jest.resetModules();
    jest.useFakeTimers();
    page = pageUnderTest({ copied: 'Copied' });
  });
  afterEach(() => {
    jest.useRealTimers();
    page.close();
    if (before) Object.defineProperty(globalThis, 'navigator', before);
  });

  it.each([
    ['is missing', undefined],
    ['refuses', { writeText: () => Promise.reject(new Error('NotAllowedError')) }],
    [
      'throws',
      {
        writeText: () => {
          throw new Error('no permission');
        },
      },
    ],
  ])('selects the text if the clipboard API %s', async (_what, clipboard) => {
    Object.defineProperty(globalThis, 'navigator', { value: { clipboard }, configurable: true });
    const commands: string[] = [];
    page.page['execCommand'] = (command: string) => commands.push(command) > 0;
    const classes = new Set<string>();
    const button = {
      dataset: { copy: '01712345678' },
      firstElementChild: null,
      textContent: 'Copy',
      classList: {
        contains: (name: string) => classes.has(name),
        add: (name: string) => void classes.add(name),
        remove: (name: string) => void classes.delete(name),
      },
    };

    jest.requireActual<typeof Copy>('./copy').listenForCopies();
    page.dispatch('click', { target: { closest: () => button } });
    await jest.advanceTimersByTimeAsync(0);

    expect(commands).toEqual(['copy']);
    expect(page.made).toMatchObject([{ value: '01712345678' }]);
    expect(button.textContent).toBe('Copied');
  });
});
