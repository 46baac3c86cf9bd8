import {
  dailyBalancesSchema,
  dailyCloseSchema,
  dashboardOperations,
  internalReparseOneResponseSchema,
  internalSmsEventPageSchema,
  internalSmsMatchSchema,
  missingSmsPageSchema,
  smsEventFactsSchema,
  smsEventTextSchema,
  type InternalReparseOneResponse,
  type SmsEventDetails,
  type SmsEventFacts,
  type Tenant,
  withParsedNames,
} from '@pay/contracts';
import { ServiceCallFailed, type Serve } from '@pay/http';
import type { Request } from 'express';
import type { ManageDeps } from '../changes/on-behalf-of';
import { recordCall } from '../changes/record-call';
import { answerOf, answerOrUnavailable } from '../clients/answer-of';
import { passOn } from '../clients/pass-on';
import type { Peers } from '../clients/service-clients';
import { dailyCloseCsv, moneyWithoutOrderCsv } from '../domain/daily-close-csv';
import { reparseSmsEvents } from './reparse-sms-events';

export type SmsEventRouteDeps = ManageDeps & Pick<Peers, 'smsIngest' | 'reconciler'>;

export function mountSmsEvents(serve: Serve, deps: SmsEventRouteDeps): void {
  const { smsIngest } = deps;
  const pathOf = (merchantId: string, id: string, part = '') =>
    `/internal/v1/sms-events/${id}${part}?merchantId=${merchantId}`;
  const factsOf = (merchantId: string, id: string) =>
    answerOf(smsIngest.request('GET', pathOf(merchantId, id), { schema: smsEventFactsSchema }));

  const pageFor = passOn(smsIngest, 'sms-events', internalSmsEventPageSchema);
  serve(dashboardOperations.listSmsEvents, async (call) => {
    const page = await pageFor(call);
    return { ...page, data: page.data.map(withParsedNames) };
  });
  serve(dashboardOperations.getSmsEvent, async ({ session: { merchantId }, params: { id } }) => {
    const facts = await factsOf(merchantId, id);
    return withMatch(deps, merchantId, facts);
  });
  serve(dashboardOperations.getSmsEventText, async ({ session, params: { id } }) => {
    const path = pathOf(session.merchantId, id, '/text');
    return answerOf(smsIngest.request('GET', path, { schema: smsEventTextSchema }));
  });
  serve(dashboardOperations.reparseSmsEvent, async ({ session, params: { id }, body }) => {
    const { environment, ...before } = await factsOf(session.merchantId, id);
    const tenant: Tenant = { merchantId: session.merchantId, environment };
    const request = { schema: internalReparseOneResponseSchema, body, tenant, idempotent: true };
    const call = () => answerOf(smsIngest.request('POST', `/internal/v1/sms-events/${id}/reparse`, request));
    const recorded = {
      ...tenant,
      action: 'sms_event.reparsed',
      subjectId: id,
      before: { status: before.status, failureReason: before.failureReason },
      asked: body,
      call,
      after: ({ outcome }: InternalReparseOneResponse) => ({ outcome }),
    };
    const result = await (body.dryRun ? call() : recordCall(deps, session, recorded));
    const after = result.after && withParsedNames(result.after);
    return { ...result, before: withParsedNames(result.before), after };
  });
  serve(dashboardOperations.reportSmsEvent, async ({ session, params: { id } }) => {
    const { merchantId } = session;
    const { environment, reportedAt } = await factsOf(merchantId, id);
    const request = { schema: smsEventFactsSchema, idempotent: true };
    const facts = await recordCall(deps, session, {
      action: 'sms_event.reported',
      subjectId: id,
      merchantId,
      environment,
      before: { reportedAt },
      call: () => answerOf(smsIngest.request('POST', pathOf(merchantId, id, '/report'), request)),
      after: (reported) => ({ reportedAt: reported.reportedAt }),
    });
    return withMatch(deps, merchantId, facts);
  });
  serve(dashboardOperations.reparseSmsEvents, ({ session, body }) => reparseSmsEvents(deps, session, body));

  const missingSms = passOn(smsIngest, 'missing-sms', missingSmsPageSchema, answerOrUnavailable);
  const closeOf = passOn(smsIngest, 'daily-close', dailyCloseSchema, answerOrUnavailable);
  const balances = passOn(smsIngest, 'daily-balances', dailyBalancesSchema, answerOrUnavailable);
  serve(dashboardOperations.listMissingSms, missingSms);
  serve(dashboardOperations.getDailyBalances, balances);
  serve(dashboardOperations.getDailyClose, async ({ session, query, req, res }) => {
    const { format = formatOf(req), lines = 'accounts', ...day } = query;
    const close = await closeOf({ session, query: day });
    res.setHeader('Vary', 'Accept');
    if (format === 'json') return close;
    const [name, csv] =
      lines === 'accounts'
        ? ['daily-close', dailyCloseCsv(close)]
        : ['money-without-order', moneyWithoutOrderCsv(close)];
    const fileName = `${name}-${day.environment.toLowerCase()}-${day.date}.csv`;
    res.setHeader('Content-Type', 'text/csv; charset=utf-8');
    res.setHeader('Content-Disposition', `attachment; filename="${fileName}"`);
    return csv;
  });
}

async function withMatch(
  { reconciler }: Pick<SmsEventRouteDeps, 'reconciler'>,
  merchantId: string,
  facts: SmsEventFacts,
): Promise<SmsEventDetails> {
  const tenant = { merchantId, environment: facts.environment };
  const path = `/internal/v1/sms-events/${facts.id}/match`;
  try {
    const { match } = await reconciler.request('GET', path, { schema: internalSmsMatchSchema, tenant });
    return { ...withParsedNames(facts), match, missing: [] };
  } catch (error) {
    if (!(error instanceof ServiceCallFailed)) throw error;
    return { ...withParsedNames(facts), match: null, missing: ['match'] };
  }
}

/** Default: JSON. */
function formatOf(req: Request): 'json' | 'csv' {
  return req.accepts(['application/json', 'text/csv']) === 'text/csv' ? 'csv' : 'json';
}
