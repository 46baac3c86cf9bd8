import { BusinessError } from '@pay/contracts';
import { ValidationError, type Session } from '@pay/http';
import { onBehalfOf, type ManageDeps } from './on-behalf-of';
import { recordAction, type RecordedAction } from './record-action';

export interface RecordedCall<T> extends Omit<RecordedAction, 'after'> {
  /** Content of the request, without secrets. */
  readonly asked?: object;
  readonly call: () => Promise<T>;
  readonly after: (result: T) => object;
  /** If the call creates the subject of its result. */
  readonly subjectOf?: (result: T) => Pick<RecordedAction, 'subjectKind' | 'subjectId'>;
}

/**
 * The audit log contains the request before another service receives it (`_asked`), because a call whose response is
 * lost may have had an effect. A second entry contains the result or the refusal (`_refused`).
 */
export async function recordCall<T>(
  deps: ManageDeps,
  session: Session,
  { asked = {}, call, after, subjectOf, ...entry }: RecordedCall<T>,
): Promise<T> {
  const record = (ending: string, change: Partial<RecordedAction>) =>
    onBehalfOf(deps, session, recordAction, { ...entry, ...change, action: `${entry.action}${ending}` });
  await record('_asked', { after: asked });
  const result = await call().catch(async (error: unknown) => {
    const refusal = refusalOf(error);
    if (refusal !== undefined) await record('_refused', { after: refusal });
    throw error;
  });
  await record('', { ...subjectOf?.(result), after: after(result) });
  return result;
}

/** Undefined if the request may have had an effect. */
function refusalOf(error: unknown): object | undefined {
  if (error instanceof ValidationError) return { messages: error.messages };
  return error instanceof BusinessError && error.code !== 'SERVICE_UNAVAILABLE' ? { code: error.code } : undefined;
}
