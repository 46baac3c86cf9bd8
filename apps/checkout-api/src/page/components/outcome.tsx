import { GUIDES } from '../guide';
import { pageAddress, safeAddress, type PageModel } from '../page-model';
import { inDigits } from '../numbers';
import type { OutcomeName } from '../dictionary';
import { NoticeLine } from './notice-line';
import { TrxForm } from './trx-form';

export const REDIRECT_SECONDS = 3;

type OutcomeModel = PageModel & { readonly stage: OutcomeName };

const TONES: Readonly<Record<OutcomeName, 'good' | 'bad' | 'calm'>> = {
  paid: 'good',
  review: 'calm',
  expired: 'bad',
  failed: 'bad',
  rejected: 'bad',
  cancelled: 'calm',
  checking: 'calm',
  waiting: 'calm',
  unavailable: 'calm',
};

/** The outcome. The script shows one of these without a request, so that none contains more than the status. */
export function Outcome(model: OutcomeModel) {
  const { stage, words, view } = model;
  const { title, body } = words.outcomes[stage];
  const tone = TONES[stage];
  return (
    <section class={`card outcome ${tone}`} data-outcome={stage}>
      <Sign tone={tone} stage={stage} />
      <h2 id="outcome" tabIndex={-1}>
        {title}
      </h2>
      <NoticeLine {...model} />
      <p>{body}</p>
      <Redirect {...model} />
      <Ways {...model} />
      {(stage === 'expired' || stage === 'checking') && view.paymentMethod !== null && (
        <TrxForm {...model} method={view.paymentMethod} />
      )}
    </section>
  );
}

/** Which way the customer is taken, with a way to stay; empty until the script knows the address, when the server did not. */
function Redirect({ view, stage, cancelUrl, words, language }: OutcomeModel) {
  const url = safeAddress(stage === 'cancelled' ? cancelUrl : view.redirectUrl);
  const leads =
    stage === 'paid' || stage === 'expired' || stage === 'failed' || stage === 'rejected' || stage === 'cancelled';
  if (!leads) return null;
  return (
    <div class="redirect" data-redirect={url ?? ''} hidden={url === null}>
      <p data-countdown>
        {words.redirect.before} <b data-seconds>{inDigits(language, String(REDIRECT_SECONDS))}</b>{' '}
        {words.redirect.after}
      </p>
      <a class="button" rel="noreferrer" data-go {...(url === null ? {} : { href: url })}>
        {words.redirect.now}
      </a>
      <button type="button" class="plain needs-script" data-stay>
        {words.redirect.stay}
      </button>
    </div>
  );
}

function Ways({ stage, view, words, language, cancelUrl }: OutcomeModel) {
  const to = (step?: 'pay' | 'trx') => pageAddress({ id: view.id, language, step });
  switch (stage) {
    case 'waiting': {
      const label = view.paymentMethod === null ? 'TrxID' : GUIDES[view.paymentMethod].trx.label;
      return (
        <p class="ways">
          <a href={to('trx')}>{words.trxOther(label)}</a>
          <a href={to('pay')}>{words.showSteps}</a>
        </p>
      );
    }
    case 'cancelled':
      return (
        <p class="ways">
          <a class={safeAddress(cancelUrl) === null ? 'button' : undefined} href={to()}>
            {words.keepPaying}
          </a>
        </p>
      );
    case 'checking':
    case 'unavailable':
      return (
        <p class="ways">
          <a class="button" href={to()}>
            {words.checkNow}
          </a>
        </p>
      );
    case 'paid':
    case 'review':
      return <p class="quiet">{words.closeHint}</p>;
    case 'expired':
    case 'failed':
    case 'rejected':
      return null;
  }
}

/** A tick, a warning, a cross for what the customer has left, or a clock that runs while something is waited for. */
function Sign({ tone, stage }: { readonly tone: 'good' | 'bad' | 'calm'; readonly stage: OutcomeName }) {
  const isBusy = stage === 'waiting' || stage === 'checking';
  const isClock = tone === 'calm' && stage !== 'cancelled';
  return (
    <svg class={isBusy ? 'sign busy' : 'sign'} viewBox="0 0 48 48" width="64" height="64" aria-hidden="true">
      <circle cx="24" cy="24" r="22" />
      {tone === 'good' && <path d="M14 25l7 7 13-15" />}
      {tone === 'bad' && <path d="M24 13v14M24 34v.5" />}
      {stage === 'cancelled' && <path d="M17 17l14 14M31 17l-14 14" />}
      {isClock && <path d="M24 24l8 5" />}
      {isClock && <path class="hand" d="M24 12v12" />}
    </svg>
  );
}
