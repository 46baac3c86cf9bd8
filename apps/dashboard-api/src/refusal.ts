/** A request that makes no sense as it is; `field` is the input to change. The text is for the person who asked, and holds no secret. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}
