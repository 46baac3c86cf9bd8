import type { Dictionary } from '../dictionary';

export type Problem = keyof Dictionary['problems'];

/** What a customer sees when there is no payment to show. It knows nothing of any intent. */
export function ProblemPage({ problem, words, retry }: { problem: Problem; words: Dictionary; retry: string | null }) {
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
    </main>
  );
}
