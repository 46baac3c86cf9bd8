import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

export type JsonSchema = Readonly<Record<string, unknown>>;
interface Header {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly schema?: JsonSchema;
}
interface Response {
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<
    Record<string, { readonly schema?: JsonSchema; readonly 'x-events'?: Readonly<Record<string, JsonSchema>> }>
  >;
}
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: JsonSchema;
}
export type Credential = 'none' | 'apiKey' | 'deviceKey' | 'session';

/** An operation of the committed document, as an external client sees it. */
export interface DescribedOperation {
  readonly id: string;
  readonly method: string;
  /** Parameters are in braces. */
  readonly path: string;
  readonly credential: Credential;
  /** The credential needs one of these scopes or roles. */
  readonly allowed: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: JsonSchema | undefined;
  /** True if the document does not allow a request without a body. */
  readonly needsBody: boolean;
  readonly responses: Readonly<Record<string, Response>>;
}

const CREDENTIALS: Readonly<Record<string, Credential>> = {
  ApiKey: 'apiKey',
  DeviceKey: 'deviceKey',
  Session: 'session',
};

interface RawOperation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
  };
  readonly responses: Readonly<Record<string, Response & { readonly $ref?: string }>>;
}

/** Adds the lengths of RFC 5321, which other validators check: 64 before the @, and 63 per label of the host. */
function withFormats(ajv: Ajv2020): Ajv2020 {
  addFormats(ajv);
  const grammar = ajv.formats['email'] as RegExp;
  const hasLengths = /^[^@]{1,64}@(?:[^@.]{1,63}\.)*[^@.]{1,63}$/;
  ajv.addFormat('email', (text: string) => grammar.test(text) && hasLengths.test(text));
  return ajv;
}

/** docs/openapi.json with resolved references. Responses may contain documented fields only. */
export class ApiDocument {
  private readonly whole = JSON.parse(
    readFileSync(join(__dirname, '..', '..', '..', 'docs', 'openapi.json'), 'utf8'),
  ) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  };
  private readonly ajv = withFormats(new Ajv2020({ strict: false, validateFormats: true }));
  private readonly validators = new Map<JsonSchema, ValidateFunction>();
  /** For requests, which may contain undocumented fields. */
  private readonly open = withFormats(new Ajv2020({ strict: false, validateFormats: true }));
  private readonly openValidators = new WeakMap<JsonSchema, ValidateFunction>();
  /** Key: the schema as text, because resolved schemas are new objects each time. */
  private readonly openOf = new Map<string, ValidateFunction>();
  readonly operations: readonly DescribedOperation[];

  constructor() {
    this.ajv.addSchema({ $id: 'api', ...(closed(this.whole) as object) });
    // Uses the decimal text of a number: 0.07 is a multiple of 0.01, and 0.1 + 0.2 is not.
    this.open.removeKeyword('multipleOf').addKeyword({
      keyword: 'multipleOf',
      type: 'number',
      validate: (step: number, value: number) => decimalsOf(value) <= decimalsOf(step),
    });
    this.open.addSchema({ $id: 'api', ...this.whole });
    this.operations = Object.entries(this.whole.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => this.read(path, method, operation)),
    );
  }

  resolve(schema: JsonSchema): JsonSchema {
    const { $ref, ...rest } = schema;
    return typeof $ref === 'string' ? { ...this.follow<JsonSchema>($ref), ...rest } : schema;
  }

  obeys(schema: JsonSchema, value: unknown): boolean {
    let validate = this.openValidators.get(schema);
    if (validate === undefined) {
      const text = JSON.stringify(schema).replaceAll('"#/', '"api#/');
      validate = this.openOf.get(text) ?? this.open.compile(JSON.parse(text) as object);
      this.openOf.set(text, validate);
      this.openValidators.set(schema, validate);
    }
    return validate(value);
  }

  /** Empty if the response conforms to the document. */
  problemsOf(
    operation: DescribedOperation,
    answer: { readonly status: number; readonly headers: Readonly<Record<string, unknown>>; readonly text: string },
  ): string[] {
    const response = operation.responses[String(answer.status)];
    if (response === undefined) return [`status ${answer.status} is not described: ${answer.text.slice(0, 200)}`];
    const headers = Object.entries(response.headers ?? {}).flatMap(([name, header]) => {
      const { required, schema } = header.$ref === undefined ? header : this.follow<Header>(header.$ref);
      const value = answer.headers[name.toLowerCase()];
      if (value === undefined) return required === true ? [`${answer.status} without the header ${name}`] : [];
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      const isNumber = schema?.['type'] === 'integer' && /^\d+$/.test(text);
      if (schema === undefined || Array.isArray(value) || this.obeys(schema, isNumber ? Number(text) : value))
        return [];
      return [`${answer.status} with the header ${name}: ${text}`];
    });
    return [...headers, ...this.problemsOfBody(response, answer)];
  }

  private problemsOfBody(
    { content }: Response,
    answer: { readonly status: number; readonly headers: Readonly<Record<string, unknown>>; readonly text: string },
  ): string[] {
    if (content === undefined) return answer.text === '' ? [] : [`${answer.status} with a body that is not described`];
    const type = String(answer.headers['content-type']).split(';')[0] ?? '';
    const described = content[type] ?? content['*/*'];
    if (described === undefined) return [`${answer.status} with a body of type ${type}`];
    if (described.schema === undefined) return [];
    const events = described['x-events'];
    if (events !== undefined) return this.problemsOfEvents(events, answer.status, answer.text);
    // The document describes all other types, such as text/csv, as a text.
    const value: unknown = type === 'application/json' ? JSON.parse(answer.text) : answer.text;
    return this.problemsOfValue(described.schema, answer.status, value);
  }

  private problemsOfValue(schema: JsonSchema, status: number, value: unknown): string[] {
    const validate = this.validatorOf(schema);
    if (validate(value)) return [];
    return [`${status} with a body that breaks its schema: ${this.ajv.errorsText(validate.errors)}`];
  }

  /** Checks all complete events of a stream that was cut off. */
  private problemsOfEvents(events: Readonly<Record<string, JsonSchema>>, status: number, text: string): string[] {
    return [...text.matchAll(/^event: (.+)\n(?:id: .+\n)?data: (.+)\n\n/gm)].flatMap(([, name = '', data = '']) => {
      const schema = events[name];
      if (schema === undefined) return [`${status} with the event ${name}, which is not described`];
      return this.problemsOfValue(schema, status, JSON.parse(data)).map((problem) => `event ${name}: ${problem}`);
    });
  }

  private validatorOf(schema: JsonSchema): ValidateFunction {
    const known = this.validators.get(schema);
    if (known !== undefined) return known;
    const text = JSON.stringify(closed(schema)).replaceAll('"#/', '"api#/');
    const made = this.ajv.compile(JSON.parse(text) as object);
    this.validators.set(schema, made);
    return made;
  }

  private read(path: string, method: string, operation: RawOperation): DescribedOperation {
    const [scheme, allowed] = Object.entries(operation.security[0] ?? {})[0] ?? [];
    return {
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      credential: scheme === undefined ? 'none' : (CREDENTIALS[scheme] ?? 'none'),
      allowed: allowed ?? [],
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content['application/json']?.schema,
      needsBody: operation.requestBody?.required === true,
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          response.$ref === undefined ? response : this.follow<Response>(response.$ref),
        ]),
      ),
    };
  }

  private follow<Part>(ref: string): Part {
    return ref
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], this.whole) as Part;
  }
}

/** Number of decimal places. Steps are powers of ten. */
function decimalsOf(value: number): number {
  const [, digits = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  return Math.max(digits.length - Number(exponent), 0);
}

/** Objects may get more fields in the future, but current responses contain only documented ones. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closed(value)]));
  const isOpen = copy['type'] === 'object' || copy['$ref'] !== undefined;
  if (isOpen && isSchemaMap(copy['properties']) && copy['additionalProperties'] === undefined) {
    copy['unevaluatedProperties'] = false;
  }
  return copy;
}

function isSchemaMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
