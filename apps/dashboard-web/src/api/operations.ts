import type {
  authOperations,
  dashboardOperations,
  Environment,
  ErrorCode,
  Role,
  sandboxOperations,
  testClockOperations,
} from '@pay/contracts';
import described from 'virtual:operations';
import type { z } from 'zod';

type Operations = typeof authOperations &
  typeof dashboardOperations &
  typeof sandboxOperations &
  typeof testClockOperations;
export type OperationId = keyof Operations;

type SchemaOf<Id extends OperationId, Part extends string> =
  Operations[Id] extends Readonly<Record<Part, infer Schema extends z.ZodType>> ? Schema : never;
type Given<Id extends OperationId, Part extends 'params' | 'query' | 'body'> = [SchemaOf<Id, Part>] extends [never]
  ? { readonly [Name in Part]?: undefined }
  : Part extends 'query'
    ? { readonly query?: Partial<Record<keyof z.input<SchemaOf<Id, Part>>, string>> }
    : { readonly [Name in Part]: z.input<SchemaOf<Id, Part>> };

/** The input of an operation: path parameters, query and body, typed by its schemas. */
export type Input<Id extends OperationId> = Given<Id, 'params'> & Given<Id, 'query'> & Given<Id, 'body'>;

type Answers<Id extends OperationId> = Operations[Id]['answers'];
type BodyOf<Answer> = Answer extends { readonly body: infer Schema extends z.ZodType } ? z.output<Schema> : undefined;
/** The body of the successful response. */
export type Output<Id extends OperationId> = {
  [Status in keyof Answers<Id>]: BodyOf<Answers<Id>[Status]>;
}[keyof Answers<Id>];

type DeclaredCode = {
  [Id in OperationId]: Operations[Id] extends { readonly errors: readonly (infer Code)[] } ? Code : never;
}[OperationId];
/** Codes with which the API can refuse a request of a page: those that operations declare, and those of every one. */
export type FailureCode =
  | Extract<ErrorCode, DeclaredCode | 'UNAUTHORIZED' | 'FORBIDDEN' | 'NOT_FOUND' | 'PAYLOAD_TOO_LARGE'>
  | Extract<ErrorCode, 'UNSUPPORTED_MEDIA_TYPE' | 'RATE_LIMITED' | 'INTERNAL_ERROR' | 'SERVICE_UNAVAILABLE'>;

/** Method and path of an operation, its parameters filled in. */
export function requestLine(
  id: OperationId,
  params: Readonly<Record<string, unknown>> = {},
  query: Readonly<Record<string, string | undefined>> = {},
): { readonly method: string; readonly path: string } {
  const operation = described[id];
  if (!operation) throw new TypeError(`${id} is not an operation of dashboard-api`);
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const search = new URLSearchParams(given).toString();
  return { method: operation.method.toUpperCase(), path: search === '' ? path : `${path}?${search}` };
}

/** Operations for which the environment decides, too. */
type LimitedId = {
  [Id in OperationId]: Operations[Id]['credential'] extends { readonly sandboxOnly: unknown } ? Id : never;
}[OperationId];

/** An operation, and the environment of its object wherever roles differ between SANDBOX and LIVE. */
export type Permission =
  readonly [id: LimitedId, environment: Environment] | readonly [id: Exclude<OperationId, LimitedId>];

/** Whether a role may call an operation. The API enforces it; pages hide what would be refused. */
export function isAllowed(role: Role, [id, environment = 'SANDBOX']: Permission): boolean {
  return described[id]?.roles[environment].includes(role) ?? false;
}
