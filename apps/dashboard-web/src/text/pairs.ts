import type { Language } from './format';

export type Text = readonly [en: string, bn: string];
export type Each<Name extends string, Value = Text> = Readonly<Record<Name, Value>>;
type Sentence = (...values: never[]) => string;
export interface Pairs {
  readonly [name: string]: Text | readonly [en: Sentence, bn: Sentence] | Pairs;
}
/** Both sentences of a pair can replace each other, so they have the same parameters. */
export type Alike<Texts> = {
  readonly [Name in keyof Texts]: Texts[Name] extends readonly [infer En extends Sentence, infer Bn]
    ? readonly [en: Bn, bn: En]
    : Texts[Name] extends Text
      ? Text
      : Alike<Texts[Name]>;
};
/** The texts of one language. */
export type Words<Texts> = {
  readonly [Name in keyof Texts]: Texts[Name] extends Text
    ? string
    : Texts[Name] extends readonly [infer Sentences, unknown]
      ? Sentences
      : Words<Texts[Name]>;
};

export function textIn<Value>([en, bn]: readonly [en: Value, bn: Value], language: Language): Value {
  return language === 'bn' ? bn : en;
}

function wordsIn(texts: Pairs, language: Language): object {
  const of = (value: Pairs[string]) =>
    isPair(value) ? textIn<Sentence | string>(value, language) : wordsIn(value, language);
  return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, of(value)]));
}

function isPair(value: Pairs[string]): value is Exclude<Pairs[string], Pairs> {
  return Array.isArray(value);
}

/** The texts by language. A text that one language lacks is a compile error. */
export function byLanguage<Texts extends Pairs>(texts: Texts & Alike<Texts>): Readonly<Record<Language, Words<Texts>>> {
  return { en: wordsIn(texts, 'en') as Words<Texts>, bn: wordsIn(texts, 'bn') as Words<Texts> };
}

/** Texts that become a part of others. */
export function inBoth<Texts extends Pairs>(texts: Texts & Alike<Texts>): Texts {
  return texts;
}
