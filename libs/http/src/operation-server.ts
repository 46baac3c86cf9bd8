import type { ApiKeyFact, DeviceFact, Operation, OperationAnswer, Role, Tenant } from '@pay/contracts';
import type { Express, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { apiKeyAuth, callerOf, type Caller } from './api-key-auth';
import { deviceKeyAuth, deviceOf } from './device-key-auth';
import { environmentPermission, type FindEnvironment } from './environment-permission';
import { route, type Answer, type RouteInput } from './route';
import { sessionAuth, sessionOf, type Session, type SessionCheck } from './session-auth';

/** Only the credential kinds that the operations of the service require must be given. */
export interface CredentialChecks {
  readonly findApiKey?: (key: string) => Promise<ApiKeyFact | undefined>;
  readonly findDevice?: (key: string) => Promise<DeviceFact | undefined>;
  readonly session?: SessionCheck;
  /** Required for operations that a role may call in SANDBOX only. */
  readonly findEnvironment?: FindEnvironment;
  /** Handlers that run after the credential check and before validation, such as rate limits. */
  readonly guard?: (operation: Operation) => readonly RequestHandler[];
}

interface Head<Status> {
  readonly status: Status;
  readonly headers?: Readonly<Record<string, string>>;
}
interface Whole<Status, Body> extends Head<Status> {
  readonly body: Body;
}
/** What a handler without a return statement returns. */
type Nothing = ReturnType<() => void>;
type BodyOf<A> =
  | (A extends { readonly body: infer Body extends z.ZodType } ? z.input<Body> : Nothing)
  | (A extends { readonly alsoAs: string } ? string : never);
type OneAnswer<Status, A> = A extends { readonly body: z.ZodType } ? Whole<Status, BodyOf<A>> : Head<Status>;

type Answers = Readonly<Record<number, OperationAnswer>>;
type StatusOf<A extends Answers> = keyof A & number;
type AnyAnswer<A extends Answers> = { [Status in StatusOf<A>]: OneAnswer<Status, A[Status]> }[StatusOf<A>];
type IsOne<Status, Each = Status> = Each extends unknown ? ([Status] extends [Each] ? true : false) : never;

/** The body, or nothing, if the operation has one success status. Otherwise the handler also names the status. */
export type ResultOf<Op extends Operation> =
  IsOne<StatusOf<Op['answers']>> extends true
    ? BodyOf<Op['answers'][StatusOf<Op['answers']>]>
    : AnyAnswer<Op['answers']>;

interface Identities {
  readonly none: unknown;
  readonly apiKey: { readonly caller: Caller };
  readonly deviceKey: { readonly device: DeviceFact };
  readonly session: { readonly session: Session };
}
const IDENTITIES = {
  none: () => ({}),
  apiKey: (response) => ({ caller: callerOf(response) }),
  deviceKey: (response) => ({ device: deviceOf(response) }),
  session: (response) => ({ session: sessionOf(response) }),
} satisfies { readonly [Kind in keyof Identities]: (response: Response) => Identities[Kind] };

type ParsedOf<Op extends Operation> = RouteInput<Op['params'], Op['query'], Op['body']>;

/** Contains what the credential identifies: `caller`, `device` or `session`. */
export type InputOf<Op extends Operation> = ParsedOf<Op> & Identities[Op['credential']['kind']];

/**
 * Order: credential, guards, validation, permission in the environment, handler. The API tests check that responses
 * match the description.
 */
export function operationServer(app: Express, checks: CredentialChecks) {
  return function serve<Op extends Operation, const Sent extends ResultOf<Op>>(
    operation: Op,
    handler: (input: InputOf<Op>) => Sent | Promise<Sent>,
  ): void {
    const guards = checks.guard?.(operation) ?? [];
    const assertPermitted = environmentPermission(operation, checks.findEnvironment);
    const identityOf = IDENTITIES[operation.credential.kind];
    const answer = answerTo(operation);
    app[operation.method](
      operation.path,
      ...credentialOf(operation, checks),
      ...guards,
      route(operation, async (input) => {
        await assertPermitted?.(input);
        // TypeScript cannot see that the identity belongs to the operation.
        return answer(await handler({ ...input, ...identityOf(input.res) } as InputOf<Op>));
      }),
    );
  };
}

/** Completes the result of a handler with the status. */
export function answerTo<Op extends Operation>({ answers }: Op): (result: ResultOf<Op>) => Answer {
  const [status, ...others] = Object.keys(answers).map(Number);
  // TypeScript cannot see that `ResultOf` makes the same distinction.
  if (status === undefined || others.length > 0) return (result) => result as Answer;
  return (body) => ({ status, body });
}

export type Serve = ReturnType<typeof operationServer>;

export type ForTenant<Op extends Operation> = ParsedOf<Op> & { readonly tenant: Tenant };

/** For handlers of API keys and of internal requests: both act for a tenant, but name it in different places. */
export type ServeTenant = <Op extends Operation, const Sent extends ResultOf<Op>>(
  operation: Op,
  handler: (input: ForTenant<Op>) => Sent | Promise<Sent>,
) => void;

/** The tenant is the one of the API key. */
export function tenantServer(serve: Serve): ServeTenant {
  return (operation, handler) => {
    serve(operation, (input) => handler({ ...input, tenant: callerOf(input.res) }));
  };
}

function credentialOf(
  { id, credential }: Operation,
  { findApiKey, findDevice, session }: CredentialChecks,
): RequestHandler[] {
  const missing = () => new TypeError(`no authentication is configured for operation ${id}`);
  switch (credential.kind) {
    case 'none':
      return [];
    case 'apiKey':
      if (!findApiKey) throw missing();
      return [apiKeyAuth(findApiKey, credential.scope)];
    case 'deviceKey':
      if (!findDevice) throw missing();
      return [deviceKeyAuth(findDevice)];
    case 'session':
      if (!session) throw missing();
      return [sessionAuth(session, credential.roles satisfies readonly Role[])];
  }
}
