import {
  reparseResponseSchema,
  type Environment,
  type InternalReparseRequest,
  type ReparseReport,
} from '@pay/contracts';
import type { ServiceClient, Session } from '@pay/http';
import type { ManageDeps } from '../changes/on-behalf-of';
import { recordCall } from '../changes/record-call';
import { answerOrUnavailable } from '../clients/answer-of';

export interface ReparseSmsEventsDeps extends ManageDeps {
  readonly smsIngest: Pick<ServiceClient, 'request'>;
}

/** A dry run changes nothing, so the audit log does not contain it. */
export async function reparseSmsEvents(
  deps: ReparseSmsEventsDeps,
  session: Session,
  { environment, ...body }: InternalReparseRequest & { readonly environment: Environment },
): Promise<ReparseReport> {
  const tenant = { merchantId: session.merchantId, environment };
  const call = () =>
    answerOrUnavailable(
      deps.smsIngest.request('POST', '/internal/v1/sms-events/reparse', {
        schema: reparseResponseSchema,
        body,
        tenant,
        actor: `${session.userId}:${session.role}`,
        idempotent: true,
      }),
    );
  if (body.dryRun) return call();
  return recordCall(deps, session, {
    ...tenant,
    action: 'sms_events.reparsed',
    subjectKind: 'merchant',
    subjectId: tenant.merchantId,
    before: { status: 'UNPARSED' },
    asked: body,
    call,
    after: ({ examined, changed, unchanged, skipped }) => ({ examined, changed, unchanged, skipped }),
  });
}
