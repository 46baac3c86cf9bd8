import {
  BusinessError,
  dashboardOperations,
  deliveryRowsSchema,
  exceptionPageSchema,
  isPermitted,
  MAX_PAGE_SIZE,
  paymentPageSchema,
  smsEventPageSchema,
  type Environment,
  type Operation,
  type Tenant,
} from '@pay/contracts';
import { sessionOf, type operationServer, type ServiceClient } from '@pay/http';
import type { Response } from 'express';
import type { z } from 'zod';
import type { CurrentSession } from '../sign-in/current-session';
import { answerOf } from '../clients/answer-of';
import { DELIVERY_COLUMNS, EXCEPTION_COLUMNS, PAYMENT_COLUMNS, SMS_EVENT_COLUMNS } from './columns';
import type { CsvExports, ExportPage } from './stream-csv';

type Peer = Pick<ServiceClient, 'request'>;

export interface ExportRouteDeps {
  readonly intentApi: Peer;
  readonly smsIngest: Peer;
  readonly webhookDispatcher: Peer;
  readonly reconciler: Peer;
  readonly csvExports: CsvExports;
  readonly currentSession: CurrentSession;
  readonly now: () => Date;
}

interface Source<Row> {
  readonly peer: Peer;
  readonly path: string;
  readonly schema: z.ZodType<ExportPage<Row>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly tenant?: Tenant;
}

/** `/v1/dashboard/exports`: the lists of the dashboard as CSV files, page by page from the services that own them. */
export function mountExports(serve: ReturnType<typeof operationServer>, deps: ExportRouteDeps): void {
  const { intentApi, smsIngest, webhookDispatcher, reconciler, csvExports, currentSession, now } = deps;
  const fileName = (list: string, environment = 'all') => `${list}-${environment.toLowerCase()}-${dhakaDay(now())}.csv`;

  /** A session that ended, or a role without this operation, gets no further page. A long export outlives both. */
  const asserting =
    (res: Response, { credential }: Operation, environment: Environment = 'LIVE') =>
    async () => {
      const session = await currentSession(sessionOf(res));
      if (session === undefined) throw new BusinessError('UNAUTHORIZED');
      if (!isPermitted(credential, session.role, environment)) throw new BusinessError('FORBIDDEN');
    };

  serve(dashboardOperations.exportPayments, async ({ query, req, res }) => {
    const { merchantId } = sessionOf(res);
    const source = { peer: intentApi, path: '/internal/v1/intents', schema: paymentPageSchema };
    await csvExports.send(res, req.method, {
      fileName: fileName('payments', query.environment),
      columns: PAYMENT_COLUMNS,
      page: pagesOf({ ...source, query: { ...query, merchantId } }),
      assertPermitted: asserting(res, dashboardOperations.exportPayments, query.environment),
    });
    return { status: 200 };
  });
  serve(dashboardOperations.exportSmsEvents, async ({ query, req, res }) => {
    const { merchantId } = sessionOf(res);
    const source = { peer: smsIngest, path: '/internal/v1/sms-events', schema: smsEventPageSchema };
    await csvExports.send(res, req.method, {
      fileName: fileName('sms', query.environment),
      columns: SMS_EVENT_COLUMNS,
      page: pagesOf({ ...source, query: { ...query, merchantId } }),
      assertPermitted: asserting(res, dashboardOperations.exportSmsEvents, query.environment),
    });
    return { status: 200 };
  });
  serve(dashboardOperations.exportDeliveries, async ({ query: { environment, ...query }, req, res }) => {
    const { merchantId } = sessionOf(res);
    const source = { peer: webhookDispatcher, path: '/internal/v1/delivery-rows', schema: deliveryRowsSchema };
    await csvExports.send(res, req.method, {
      fileName: fileName('webhook-deliveries', environment),
      columns: DELIVERY_COLUMNS,
      page: pagesOf({ ...source, query, tenant: { merchantId, environment } }),
      assertPermitted: asserting(res, dashboardOperations.exportDeliveries, environment),
    });
    return { status: 200 };
  });
  serve(dashboardOperations.exportExceptions, async ({ query, req, res }) => {
    const { merchantId } = sessionOf(res);
    const source = { peer: reconciler, path: '/internal/v1/exceptions', schema: exceptionPageSchema };
    await csvExports.send(res, req.method, {
      fileName: fileName('exceptions', query.environment),
      columns: EXCEPTION_COLUMNS,
      page: pagesOf({ ...source, query: { ...query, merchantId } }),
      assertPermitted: asserting(res, dashboardOperations.exportExceptions, query.environment),
    });
    return { status: 200 };
  });
}

function pagesOf<Row>({ peer, path, schema, query, tenant }: Source<Row>) {
  return (after: string | undefined): Promise<ExportPage<Row>> => {
    const given = Object.entries({ ...query, after, limit: MAX_PAGE_SIZE }).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    const request = { schema, ...(tenant === undefined ? {} : { tenant }) };
    return answerOf(peer.request('GET', `${path}?${search.toString()}`, request));
  };
}

const DHAKA_OFFSET_MS = 6 * 3_600_000;

/** Example: "2026-11-23". */
function dhakaDay(time: Date): string {
  return new Date(time.getTime() + DHAKA_OFFSET_MS).toISOString().slice(0, 10);
}
