import { createHash } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { brandColours } from './colours';
import { CheckoutPage } from './components/checkout-page';
import { ProblemPage, type Problem } from './components/problem-page';
import { GUIDES } from './guide';
import script from './island/main.ts?script';
import { DICTIONARIES } from './language';
import type { Language } from './languages';
import type { PageModel } from './page-model';
import { isOutcome, type Stage } from './page-state';
import styles from './page.css';

/** The Content Security Policy allows only the scripts, styles and requests of this page. */
export interface RenderedPage {
  readonly html: string;
  readonly policy: string;
}

const NO_SCRIPT = '.needs-script{display:none!important}';
/** Reload interval of a page without a script. */
const REFRESH_SECONDS = 15;
/** Polls until the payment can be shown, and reloads only then, because every reload interrupts a screen reader. */
const LOOK_AGAIN = `setInterval(()=>fetch(location.href,{cache:"no-store"}).then((answer)=>answer.ok&&location.reload(),()=>0),${REFRESH_SECONDS * 1_000})`;
const WAITING_STAGES = new Set(['pay', 'waiting', 'checking', 'review']);

/** Needed only for Bangla text: on a Bangla page, or in a name. */
const font = (address: string) =>
  `@font-face{font-family:"Hind Siliguri";src:url(${address}) format("woff2");font-display:swap;unicode-range:U+951-952,U+964-965,U+980-9FE,U+1CD0,U+1CD2,U+1CD5-1CD6,U+1CD8,U+1CE1,U+1CEA,U+1CED,U+1CF2,U+1CF5-1CF7,U+200C-200D,U+20B9,U+25CC,U+A8F1}`;

export function renderCheckout(model: PageModel, fontAddress: string): RenderedPage {
  const { view, stage, words, language } = model;
  return renderPage({
    language,
    fontAddress,
    title: isOutcome(stage) ? words.outcomes[stage].title : words.pageTitle(view.merchantName ?? words.unnamedMerchant),
    colour: view.branding.colour,
    script: PAGE_SCRIPT,
    refresh: refreshOf(model),
    stage,
    content: <CheckoutPage {...model} />,
  });
}

export interface ProblemModel {
  readonly problem: Problem;
  readonly language: Language;
  readonly retry: string | null;
  readonly addressIn: (language: Language) => string;
  /** True if the request can be repeated without the customer. */
  readonly looksAgain: boolean;
}

/** For intents that do not exist or are temporarily unavailable. */
export function renderProblem(model: ProblemModel, fontAddress: string): RenderedPage {
  const { problem, language, retry, addressIn, looksAgain } = model;
  const words = DICTIONARIES[language];
  const other = language === 'en' ? 'bn' : 'en';
  return renderPage({
    language,
    fontAddress,
    title: words.problems[problem].title,
    colour: null,
    script: looksAgain ? LOOK_AGAIN_SCRIPT : null,
    refresh: looksAgain ? String(REFRESH_SECONDS) : undefined,
    content: (
      <ProblemPage
        problem={problem}
        words={words}
        retry={retry}
        inOther={{ language: other, address: addressIn(other) }}
      />
    ),
  });
}

/**
 * Meta refresh for browsers without a script. Never while the customer may be typing or must read about a stored TrxID.
 */
function refreshOf({ view, stage, step, cancelUrl }: PageModel): string | undefined {
  if (stage === 'expired') return undefined;
  const redirect = stage === 'cancelled' ? cancelUrl : view.redirectUrl;
  if (redirect !== null && /^https?:\/\//i.test(redirect)) return `3;url=${redirect}`;
  const method = view.paymentMethod;
  const isTyping = step === 'trx' || (stage === 'pay' && method !== null && !GUIDES[method].carriesReference);
  return WAITING_STAGES.has(stage) && !isTyping ? String(REFRESH_SECONDS) : undefined;
}

interface Parts {
  readonly language: Language;
  readonly fontAddress: string;
  readonly title: string;
  readonly colour: string | null;
  readonly script: Script | null;
  readonly refresh: string | undefined;
  /** Only on pages of an intent. */
  readonly stage?: Stage;
  readonly content: ComponentChildren;
}

function renderPage({ language, fontAddress, title, colour, script, refresh, stage, content }: Parts): RenderedPage {
  const { brand, onBrand, accent } = brandColours(colour);
  const own = `:root{--brand:${brand};--on-brand:${onBrand};--accent:${accent}}${font(fontAddress)}`;
  const page = (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="format-detection" content="telephone=no" />
        <meta name="theme-color" content={brand} />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <Style text={own} />
        <Style text={styles} />
        <noscript>
          <Style text={NO_SCRIPT} />
          <Refresh after={refresh} />
        </noscript>
      </head>
      <body data-stage={stage}>
        {content}
        {script !== null && <script dangerouslySetInnerHTML={{ __html: script.text }} />}
      </body>
    </html>
  );
  const allowed = [own, styles, NO_SCRIPT].map(hashSource).join(' ');
  return {
    html: `<!doctype html>${renderToString(page)}`,
    policy: policyOf(allowed, script?.source ?? "'none'"),
  };
}

function Refresh({ after }: { readonly after: string | undefined }) {
  return after === undefined ? null : <meta http-equiv="refresh" content={after} />;
}

function Style({ text }: { readonly text: string }) {
  return <style dangerouslySetInnerHTML={{ __html: text }} />;
}

/** Allows the script and the style by their hashes, the font, and the live status. */
function policyOf(styleSources: string, scriptSources: string): string {
  return [
    "default-src 'none'",
    `script-src ${scriptSources}`,
    `style-src ${styleSources}`,
    "font-src 'self'",
    'img-src data:',
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

interface Script {
  readonly text: string;
  /** The hash in the policy. */
  readonly source: string;
}

const PAGE_SCRIPT: Script = { text: script, source: hashSource(script) };
const LOOK_AGAIN_SCRIPT: Script = { text: LOOK_AGAIN, source: hashSource(LOOK_AGAIN) };
