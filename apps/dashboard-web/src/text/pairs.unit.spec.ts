import { byLanguage, inBoth, type Each } from './pairs';

const TEXTS = inBoth({
  title: ['Settings', 'সেটিংস'],
  used: [(used: string, all: number) => `${used} of ${all}`, (used: string, all: number) => `${all}-এর ${used}`],
  overlaps: { 0: ['Not at all', 'একদম না'], 3600: ['1 hour', '১ ঘণ্টা'] } satisfies Each<'0' | '3600'>,
});

it('byLanguage returns the texts and sentences of each language under their names', () => {
  const { en, bn } = byLanguage(TEXTS);

  expect([en.title, en.used('2', 3), en.overlaps[3600]]).toEqual(['Settings', '2 of 3', '1 hour']);
  expect([bn.title, bn.used('2', 3), bn.overlaps[3600]]).toEqual(['সেটিংস', '3-এর 2', '১ ঘণ্টা']);
});

it('the compiler refuses pairs that do not have the same text in both languages', () => {
  const refused = [
    // @ts-expect-error: one language is missing
    inBoth({ section: { title: ['Settings'] } }),
    // @ts-expect-error: not a pair
    inBoth({ section: { title: 'Settings' } }),
    // @ts-expect-error: a text and a sentence
    inBoth({ section: { title: ['Settings', (name: string) => name] } }),
    // @ts-expect-error: a sentence and a text
    inBoth({ section: { title: [(name: string) => name, 'সেটিংস'] } }),
    // @ts-expect-error: values of different types
    inBoth({ section: { title: [(name: string) => name, (count: number) => String(count)] } }),
    // @ts-expect-error: Bangla lacks a value
    inBoth({ section: { title: [(name: string, count: string) => name + count, (name: string) => name] } }),
    // @ts-expect-error: English lacks a value
    inBoth({ section: { title: [(name: string) => name, (name: string, count: string) => name + count] } }),
  ];

  expect(refused).toHaveLength(7);
});
