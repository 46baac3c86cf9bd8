import type { Account } from '@pay/contracts';
import { useQuery, type QueryKey, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query';
import { createContext, use, useSyncExternalStore } from 'react';
import type { Input, OperationId, Output, Permission } from '../api/operations';
import { isAllowed } from '../api/operations';
import type { Session, SessionState } from './session';

const Context = createContext<Session | undefined>(undefined);
export const SessionProvider = Context;

export function useSession(): Session {
  const session = use(Context);
  if (!session) throw new TypeError('SessionProvider is missing');
  return session;
}

export function useSessionState(): SessionState {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, session.getState, session.getState);
}

/** The user of a page that is only shown to logged-in users. */
export function useUser(): Account {
  const state = useSessionState();
  if (state.kind !== 'signed-in' && state.kind !== 'ended') throw new TypeError('no user is logged in');
  return state.user;
}

export function useMay(): (...permission: Permission) => boolean {
  const { role } = useUser();
  return (...permission) => isAllowed(role, permission);
}

export type Call = <Id extends OperationId>(id: Id, input: Input<Id>, signal?: AbortSignal) => Promise<Output<Id>>;

export function useCall(): Call {
  const session = useSession();
  return (id, input, signal) => session.call(id, input, signal);
}

export type Request<Id extends OperationId> = Input<Id> & Omit<UseQueryOptions<Output<Id>>, 'queryKey' | 'queryFn'>;

/** The answer of an operation, which invalidations and live updates find by its key. */
export function useOperation<Id extends OperationId>(
  queryKey: QueryKey,
  id: Id,
  request: Request<Id>,
): UseQueryResult<Output<Id>> {
  const call = useCall();
  return useQuery<Output<Id>>({ ...request, queryKey, queryFn: ({ signal }) => call(id, request, signal) });
}
