import { exceptionKindSchema, type ExceptionKind, type ExceptionStatus } from '@pay/contracts';

/** The queue of a match, as the database names it, told as people are told: what is wrong with it while it is open. */
export function exceptionStatusOf(queue: string | null): { status: ExceptionStatus; kind: ExceptionKind | null } {
  const kind = exceptionKindSchema.safeParse(queue);
  return kind.success ? { status: 'OPEN', kind: kind.data } : { status: 'CLOSED', kind: null };
}
