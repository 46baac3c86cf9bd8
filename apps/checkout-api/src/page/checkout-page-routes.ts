import {
  chooseMethod,
  confirmCheckout,
  getCheckout,
  leaveCheckout,
  paymentMethodSchema,
  type CheckoutView,
  type ConfirmResponse,
  type ErrorCode,
  type Operation,
  type PaymentMethod,
  BusinessError,
} from '@pay/contracts';
import { formatErrorsWith } from '@pay/http';
import { forgive } from '@pay/rate-limits';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { readPageFont } from '../adapters/page-font';
import { isNoFailure } from '../domain/confirm-answer';
import type { Problem } from './components/problem-page';
import { renderCheckout, renderProblem } from './document';
import { DICTIONARIES, languageOf, languageOfProblem } from './language';
import { LANGUAGES, type Language } from './languages';
import { pageAddress, type Address } from './page-model';
import { NOTICES, stageOf, STEPS, type Notice, type Step } from './page-state';
import { sendPage } from './send-page';
import { PAYER_DIGITS, tidyPayerDigits } from './tidy-payer-digits';
import { looksLikeTrxId, tidyTrxId } from './tidy-trx-id';

interface ClaimInput {
  readonly intentId: string;
  readonly trxId: string;
  readonly payerDigits: string | undefined;
}

/** The forms of the page call the same use cases as the API. */
export interface CheckoutPageDeps {
  readonly view: (id: string) => Promise<CheckoutView>;
  readonly choose: (id: string, paymentMethod: PaymentMethod) => Promise<unknown>;
  readonly confirm: (input: ClaimInput) => Promise<ConfirmResponse>;
  readonly cancel: (id: string) => Promise<{ readonly redirectUrl: string | null }>;
  readonly noteReturn: (id: string) => Promise<void>;
  readonly guard?: ((operation: Operation) => readonly RequestHandler[]) | undefined;
}

const ONE_YEAR = 'public, max-age=31536000, immutable';
/** Cookie with the last method of this browser. It identifies no person, intent or shop. */
const LAST_METHOD = 'last_method';
const LAST_METHOD_COOKIE = { path: '/checkout', httpOnly: true, sameSite: 'lax', maxAge: 180 * 86_400_000 } as const;
const idSchema = z.uuid();
const readForm = express.urlencoded({ extended: false, inflate: false, limit: '8kb' });

/** The API description does not contain these routes, because only browsers use them. */
export function mountCheckoutPage(app: Express, deps: CheckoutPageDeps): void {
  const { font, licence } = readPageFont();
  const fontAddress = `/checkout/assets/${font.name}`;
  const guards = (operation: Operation) => [formatErrorsAsPage(fontAddress), ...(deps.guard?.(operation) ?? [])];

  app.get('/checkout/assets/:file', (request, response) => {
    const file = [font, licence].find(({ name }) => name === request.params.file);
    if (!file) throw new BusinessError('NOT_FOUND');
    response.setHeader('Cache-Control', ONE_YEAR);
    response.setHeader('Content-Type', file.type);
    response.setHeader('Content-Length', file.bytes.length);
    response.end(file.bytes);
  });

  // Truncated links.
  app.get('/checkout', formatErrorsAsPage(fontAddress), (request) => {
    idOf(request);
  });

  app.get('/checkout/:id', ...guards(getCheckout), async (request, response) => {
    const id = idOf(request);
    const view = await withTheOnlyMethod(deps, await deps.view(id));
    const asked = oneOf<Step>(STEPS, request.query['step']);
    const stage = stageOf(view, asked);
    // The error of a refused TrxID is shown at its form, also after a reload.
    const isRefused = stage === 'pay' && view.claim === 'used';
    const language = languageOf(request.query['language'], view.language);
    const model = {
      view,
      stage,
      step: isRefused ? 'trx' : asked,
      language,
      words: DICTIONARIES[language],
      notice: oneOf<Notice>(NOTICES, request.query['notice']) ?? (isRefused ? 'used' : undefined),
      lastMethod: lastMethodOf(request),
      cancelUrl: stage === 'cancelled' ? (await deps.cancel(id)).redirectUrl : null,
    };
    await sendPage(request, response, 200, renderCheckout(model, fontAddress));
  });

  app.post('/checkout/:id/method', ...guards(chooseMethod), readForm, async (request, response) => {
    const id = idOf(request);
    const method = paymentMethodSchema.safeParse(field(request, 'paymentMethod'));
    const next = method.success ? await chosen(deps, id, method.data) : CHOOSE;
    if (method.success && next.notice === undefined) response.cookie(LAST_METHOD, method.data, LAST_METHOD_COOKIE);
    seeOther(request, response, id, next);
  });

  app.post('/checkout/:id/confirm', ...guards(confirmCheckout), readForm, async (request, response) => {
    const intentId = idOf(request);
    const trxId = tidyTrxId(field(request, 'trxId'));
    // The field exists only if the merchant requires payer digits.
    const typed = field(request, 'payerDigits');
    const payerDigits = typed === '' ? undefined : tidyPayerDigits(typed);
    const problem = !looksLikeTrxId(trxId)
      ? 'malformed'
      : payerDigits !== undefined && !PAYER_DIGITS.test(payerDigits)
        ? 'malformed_digits'
        : undefined;
    // Does not count as a failure, as in the API.
    if (problem !== undefined) forgive(response);
    const answer: Next =
      problem === undefined
        ? await confirmed(deps, { intentId, trxId, payerDigits }, response)
        : { step: 'trx', notice: problem };
    seeOther(request, response, intentId, answer);
  });

  app.post('/checkout/:id/cancel', ...guards(leaveCheckout), async (request, response) => {
    const id = idOf(request);
    await deps.cancel(id);
    seeOther(request, response, id, { step: 'cancelled' });
  });

  // The script sends this when the customer returns to the shop, and ignores the response.
  app.post('/checkout/:id/returned', ...guards(leaveCheckout), async (request, response) => {
    await deps.noteReturn(idOf(request));
    response.statusCode = 204;
    response.end();
  });

  // Browsers reload and bookmark the URL of a form that was answered with a page, for example after too many attempts.
  for (const form of ['method', 'confirm', 'cancel']) {
    app.get(`/checkout/:id/${form}`, formatErrorsAsPage(fontAddress), (request, response) => {
      seeOther(request, response, idOf(request), {});
    });
  }

  // Unknown paths below /checkout also get a page, for example of an altered link.
  const formatErrors = formatErrorsAsPage(fontAddress);
  app.use('/checkout', (request, response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') formatErrors(request, response, next);
    else next();
  });
}

type Next = Pick<Address, 'step' | 'notice'>;
const CHOOSE: Next = { step: 'choose', notice: 'choose' };

/** Errors that customers can cause in normal use. */
const AFTER_CHOICE: Partial<Record<ErrorCode, Next>> = {
  METHOD_FIXED: { notice: 'method_fixed' },
  RECEIVER_ACCOUNT_NOT_CONFIGURED: { step: 'choose', notice: 'method_unavailable' },
  INTENT_EXPIRED: {},
  INTENT_NOT_PENDING: {},
};
const AFTER_CLAIM: Partial<Record<ErrorCode, Next>> = {
  duplicate_trx_id: { step: 'trx', notice: 'used' },
  INTENT_EXPIRED: { notice: 'kept_late' },
  INTENT_NOT_PENDING: { notice: 'not_pending' },
};

/** A single possible method is chosen automatically, for example after the shop has closed its other wallets. */
async function withTheOnlyMethod(deps: CheckoutPageDeps, view: CheckoutView): Promise<CheckoutView> {
  const [only, ...others] = view.paymentMethods;
  const isUndecided = view.paymentMethod === null && stageOf(view, undefined) === 'choose';
  if (!isUndecided || only === undefined || others.length > 0) return view;
  await chosen(deps, view.id, only);
  return deps.view(view.id);
}

async function chosen(deps: CheckoutPageDeps, id: string, method: PaymentMethod): Promise<Next> {
  try {
    await deps.choose(id, method);
    return {};
  } catch (error) {
    return expected(AFTER_CHOICE, error);
  }
}

/** The URL contains only the part of the result that the page cannot derive. */
async function confirmed(deps: CheckoutPageDeps, claim: ClaimInput, response: Response): Promise<Next> {
  try {
    const answer = await deps.confirm(claim);
    if (isNoFailure(answer)) forgive(response);
    return answer.reason === 'processing' ? { notice: 'busy' } : {};
  } catch (error) {
    return expected(AFTER_CLAIM, error);
  }
}

/** A redirect after a form prevents a second submission by a reload. */
function seeOther(request: Request, response: Response, id: string, next: Next): void {
  const language = languageOf(request.query['language'], null);
  response.statusCode = 303;
  response.setHeader('Location', pageAddress({ id, language, ...next }));
  response.end();
}

/** The page contains only the URL of the request, as the link to try again. */
function formatErrorsAsPage(fontAddress: string): RequestHandler {
  return (request, response, next) => {
    const language = languageOfProblem(request.query['language'], request.acceptsLanguages(...LANGUAGES));
    // Express clears the parameters of a route when an error leaves it.
    const id = idSchema.safeParse(request.params['id']);
    // The id of an unknown intent is not repeated. The link leads to the same URL.
    const addressIn = (shown: Language) =>
      id.success
        ? pageAddress({ id: id.data, language: shown })
        : `?${new URLSearchParams({ language: shown }).toString()}`;
    formatErrorsWith(response, (status, headers) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      const problem: Problem =
        status === 404 ? 'unknown' : status === 429 ? 'limited' : status === 503 ? 'unavailable' : 'wrong';
      const retry = problem === 'unknown' || !id.success ? null : addressIn(language);
      const looksAgain = problem === 'unavailable' && request.method === 'GET';
      const page = renderProblem({ problem, language, retry, addressIn, looksAgain }, fontAddress);
      sendPage(request, response, status, page).catch(() => response.destroy());
    });
    next();
  };
}

function lastMethodOf(request: Request): PaymentMethod | undefined {
  const value = new RegExp(`(?:^|;\\s*)${LAST_METHOD}=([A-Z_]+)`).exec(request.headers.cookie ?? '')?.[1];
  return paymentMethodSchema.options.find((method) => method === value);
}

function idOf(request: Request): string {
  const id = idSchema.safeParse(request.params['id']);
  if (!id.success) throw new BusinessError('NOT_FOUND');
  return id.data;
}

function field(request: Request, name: string): string {
  const value: unknown = (request.body as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' ? value : '';
}

function oneOf<Name extends string>(names: readonly Name[], asked: unknown): Name | undefined {
  return names.find((name) => name === asked);
}

function expected(answers: Partial<Record<ErrorCode, Next>>, error: unknown): Next {
  const next = error instanceof BusinessError ? answers[error.code] : undefined;
  if (next === undefined) throw error;
  return next;
}
