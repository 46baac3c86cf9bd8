import { dashboardOperations, receiverUsageListSchema, type ReceiverAccountResponse } from '@pay/contracts';
import type { Serve, ServiceClient, Session } from '@pay/http';
import { addReceiverAccount } from './add-receiver-account';
import { changeReceiverAccount } from './change-receiver-account';
import type { ReceiverAccountRecord } from '../domain/records';
import { receiverAccountView } from '../domain/views';
import { changeOwn } from '../changes/change-own';
import { lockOwn } from '../changes/lock-record';
import { onBehalfOf, type ManageDeps, type UseCase } from '../changes/on-behalf-of';
import { findOwn, listOwn } from '../changes/own-records';
import { answerOf } from '../clients/answer-of';
import { setReceiverAccountActive } from './set-receiver-account-active';

const MOST_ACCOUNTS = 1_000;

export interface ReceiverAccountRouteDeps extends ManageDeps {
  readonly intentApi: Pick<ServiceClient, 'request'>;
}

export function mountReceiverAccounts(serve: Serve, deps: ReceiverAccountRouteDeps): void {
  serve(dashboardOperations.createReceiverAccount, async ({ session, body }) => {
    const { environment, paymentMethod, msisdn, label, limits } = body;
    const input = {
      tenant: { merchantId: session.merchantId, environment },
      paymentMethod,
      msisdn,
      label,
      limits,
    };
    const account = await onBehalfOf(deps, session, async (changeDeps, tx) => {
      const { receiverAccountId } = await addReceiverAccount(changeDeps, tx, input);
      return lockOwn(tx, 'receiver_account', receiverAccountId, session.merchantId);
    });
    return receiverAccountView(account);
  });

  serve(dashboardOperations.listReceiverAccounts, async ({ session, query }) => {
    const { environment, paymentMethod, ...place } = query;
    const filter = { merchantId: session.merchantId, environment, paymentMethod };
    const { data, ...page } = await listOwn(deps.db, 'receiver_account', filter, place);
    return { ...page, data: data.map(receiverAccountView) };
  });
  serve(dashboardOperations.getReceiverAccount, async ({ session, params }) => {
    const account = await findOwn(deps.db, 'receiver_account', params.id, session.merchantId);
    return receiverAccountView(account);
  });

  serve(dashboardOperations.changeReceiverAccount, ({ session, params, body: { label, limits } }) =>
    change(session, changeReceiverAccount, {
      receiverAccountId: params.id,
      change: { ...(label !== undefined && { label }), ...(limits !== undefined && { limits }) },
    }),
  );
  serve(dashboardOperations.activateReceiverAccount, ({ session, params }) =>
    change(session, setReceiverAccountActive, { receiverAccountId: params.id, isActive: true }),
  );
  serve(dashboardOperations.deactivateReceiverAccount, ({ session, params }) =>
    change(session, setReceiverAccountActive, { receiverAccountId: params.id, isActive: false }),
  );

  serve(dashboardOperations.listReceiverUsage, async ({ session, query: { environment } }) => {
    const filter = { merchantId: session.merchantId, environment };
    const { data } = await listOwn(deps.db, 'receiver_account', filter, { page: 1, limit: MOST_ACCOUNTS });
    const usage = deps.intentApi.request('POST', '/internal/v1/receiver-usage', {
      schema: receiverUsageListSchema,
      idempotent: true,
      body: { receiverAccountIds: data.map(({ id }) => id) },
    });
    return answerOf(usage);
  });

  async function change<Input extends { readonly receiverAccountId: string }>(
    session: Session,
    useCase: UseCase<[Input], ReceiverAccountRecord>,
    input: Input,
  ): Promise<ReceiverAccountResponse> {
    const id = input.receiverAccountId;
    return receiverAccountView(await changeOwn(deps, session, 'receiver_account', id, useCase, input));
  }
}
