import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '@pay/contracts';

type Answers = Readonly<Record<string, unknown>>;

interface Described {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> }>
  >;
}

/** The example of each operation's answer in the API description. */
export function exampleAnswers(): Answers {
  const file = join(__dirname, '..', '..', '..', 'docs', 'openapi.json');
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  };
  const described = Object.values(paths).flatMap((methods) => Object.values(methods));
  return Object.fromEntries(
    described.map(({ operationId, responses }) => {
      const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
      return [operationId, success?.content?.['application/json']?.example];
    }),
  );
}

const SUM = /amount|balance|fee|commission|adjustment|difference|received|paid|sent|total/i;

/** The same answer about objects of this environment, with a number in each text that is an amount of money. */
export function answerIn(environment: Environment, answer: unknown): unknown {
  const text = JSON.stringify(answer, (key, value: unknown) => {
    if (key === 'environment') return environment;
    return value === 'text' && SUM.test(key) ? '10.5' : value;
  });
  return JSON.parse(text) as unknown;
}
