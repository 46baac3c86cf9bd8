import { exceptionKindSchema, type ExceptionKind, type ExceptionStatus } from '@pay/contracts';

/** Converts the database's name of a review queue to the status and kind of the exception. */
export function exceptionStatusOf(queue: string | null): { status: ExceptionStatus; kind: ExceptionKind | null } {
  const kind = exceptionKindSchema.safeParse(queue);
  return kind.success ? { status: 'OPEN', kind: kind.data } : { status: 'CLOSED', kind: null };
}
