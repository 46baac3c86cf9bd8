import {
  reparseResponseSchema,
  type Environment,
  type InternalReparseRequest,
  type ReparseReport,
} from '@pay/contracts';
import type { ServiceClient, Session } from '@pay/http';
import type { ManageDeps } from '../changes/on-behalf-of';
import { recordCall } from '../changes/record-action';
import { answerOrUnavailable } from '../clients/answer-of';

export interface ReparseSmsEventsDeps extends ManageDeps {
  readonly smsIngest: Pick<ServiceClient, 'request'>;
}

/**
 * The audit log contains the request before sms-ingest receives it, because a call whose response is lost may have had
 * an effect.
 */
export async function reparseSmsEvents(
  deps: ReparseSmsEventsDeps,
  session: Session,
  { environment, ...body }: InternalReparseRequest & { readonly environment: Environment },
): Promise<ReparseReport> {
  const { merchantId } = session;
  if (!body.dryRun) {
    const asked = { action: 'sms_events.reparsed', subjectKind: 'merchant', subjectId: merchantId, merchantId };
    await recordCall(deps, session, { ...asked, environment, before: { status: 'UNPARSED' }, after: body });
  }
  return answerOrUnavailable(
    deps.smsIngest.request('POST', '/internal/v1/sms-events/reparse', {
      schema: reparseResponseSchema,
      body,
      tenant: { merchantId, environment },
      actor: `${session.userId}:${session.role}`,
      idempotent: true,
    }),
  );
}
