/** What was typed cannot be carried out as it is; one sentence per problem, each naming its argument. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}
