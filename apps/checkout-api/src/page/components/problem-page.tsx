import type { Dictionary } from '../dictionary';
import { Footer } from './footer';
import { TopBar, type InOther } from './header';
import { Sign, type Tone } from './sign';

export type Problem = keyof Dictionary['problems'];

interface ProblemPageModel {
  readonly problem: Problem;
  readonly words: Dictionary;
  readonly retry: string | null;
  /** The same URL in the other language. */
  readonly inOther: InOther;
}

/** A clock means that the problem ends without an action of the customer. */
const TONES: Readonly<Record<Problem, Tone>> = { unknown: 'bad', wrong: 'bad', limited: 'calm', unavailable: 'calm' };

/** Contains no data of an intent. */
export function ProblemPage({ problem, words, retry, inOther }: ProblemPageModel) {
  const { title, body } = words.problems[problem];
  return (
    <>
      <header>
        <TopBar words={words} name={words.payment} inOther={inOther} />
      </header>
      <main>
        <section class={`card outcome ${TONES[problem]}`}>
          <Sign tone={TONES[problem]} />
          <h1>{title}</h1>
          <p>{body}</p>
          {retry !== null && (
            <a class="button" href={retry}>
              {words.tryAgain}
            </a>
          )}
        </section>
      </main>
      <Footer words={words} view={null} />
    </>
  );
}
