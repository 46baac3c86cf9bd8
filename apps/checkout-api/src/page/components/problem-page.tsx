import type { Dictionary } from '../dictionary';
import type { Language } from '../languages';
import { BanglaWord } from './bangla-word';

export type Problem = keyof Dictionary['problems'];

interface ProblemPageModel {
  readonly problem: Problem;
  readonly words: Dictionary;
  readonly retry: string | null;
  /** The same address in the language that this page is not in; null where there is none to go to. */
  readonly inOther: { readonly language: Language; readonly address: string } | null;
}

/** What a customer sees when there is no payment to show. It knows nothing of any intent. */
export function ProblemPage({ problem, words, retry, inOther }: ProblemPageModel) {
  const { title, body } = words.problems[problem];
  return (
    <main class="problem">
      <section class="card outcome">
        <h1>{title}</h1>
        <p>{body}</p>
        {retry !== null && (
          <a class="button" href={retry}>
            {words.tryAgain}
          </a>
        )}
      </section>
      {inOther !== null && (
        <a class="language" lang={inOther.language} hreflang={inOther.language} href={inOther.address}>
          {inOther.language === 'bn' ? <BanglaWord /> : words.otherLanguage}
        </a>
      )}
    </main>
  );
}
