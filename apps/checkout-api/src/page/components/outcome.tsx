import { GUIDES } from '../guide';
import { isTrxAnswer, pageAddress, safeAddress, type PageModel } from '../page-model';
import { inDigits } from '../numbers';
import { isKeptLate, type OutcomeName } from '../page-state';
import { Contact, secureAddress } from './contact';
import { NoticeLine } from './notice-line';
import { Receipt } from './receipt';
import { Sign, type Tone } from './sign';
import { TrxDetails } from './trx-form';

export const REDIRECT_SECONDS = 3;

type OutcomeModel = PageModel & { readonly stage: OutcomeName };

const TONES: Readonly<Record<OutcomeName, Tone>> = {
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
const KINDS: Readonly<Partial<Record<OutcomeName, 'cancelled' | 'busy'>>> = {
  cancelled: 'cancelled',
  checking: 'busy',
  waiting: 'busy',
};
/** The customer may need the shop after these outcomes, so they contain its contact and the footer does not. */
const NEEDS_SHOP: ReadonlySet<OutcomeName> = new Set(['review', 'expired', 'failed', 'rejected', 'unavailable']);

/** The script shows it without a request, so it may contain only data that follows from the status. */
export function Outcome(model: OutcomeModel) {
  const { stage, words, view, notice } = model;
  const { title, body } = words.outcomes[stage];
  const method = stage === 'expired' || stage === 'checking' ? view.paymentMethod : null;
  // Errors of a field are shown below it. A stored TrxID has no field.
  const isForForm = method !== null && isTrxAnswer(model) && notice !== 'kept_late';
  const isKept = notice === 'kept_late' || isKeptLate(view);
  const tone = TONES[stage];
  return (
    <section class={`card outcome ${tone}`} data-outcome={stage}>
      <Sign tone={tone} kind={KINDS[stage]} />
      <h2 id="outcome" tabIndex={-1}>
        {title}
      </h2>
      {!isForForm && !isKept && <NoticeLine {...model} />}
      {isKept ? <NoticeLine notice="kept_late" words={words} /> : <p data-unclaimed>{body}</p>}
      {stage === 'paid' && <Receipt {...model} />}
      <Redirect {...model} isKept={isKept} />
      <Ways {...model} />
      {method !== null && <TrxDetails {...model} method={method} notice={isForForm ? notice : undefined} />}
      {NEEDS_SHOP.has(stage) && <Contact {...model} />}
    </section>
  );
}

/**
 * Redirect with a button to stay; empty until the URL is known. A customer whose TrxID is stored is not redirected, nor
 * one without a script who can still enter it.
 */
function Redirect({ view, stage, cancelUrl, words, language, isKept }: OutcomeModel & { readonly isKept: boolean }) {
  const url = safeAddress(stage === 'cancelled' ? cancelUrl : view.redirectUrl);
  const leads =
    stage === 'paid' || stage === 'expired' || stage === 'failed' || stage === 'rejected' || stage === 'cancelled';
  if (!leads) return null;
  return (
    <div class="redirect" data-redirect={url ?? ''} hidden={url === null}>
      {!isKept && (
        <p data-countdown class={stage === 'expired' ? 'needs-script' : undefined}>
          {words.redirect.before} <b data-seconds>{inDigits(language, String(REDIRECT_SECONDS))}</b>{' '}
          {words.redirect.after}
        </p>
      )}
      <a class="button" rel="noreferrer" data-go {...(url === null ? {} : { href: url })}>
        {words.redirect.now}
      </a>
      {!isKept && (
        <button type="button" class="plain needs-script" data-stay>
          {words.redirect.stay}
        </button>
      )}
    </div>
  );
}

function Ways(model: OutcomeModel) {
  const { stage, view, words, language, cancelUrl } = model;
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
    case 'cancelled': {
      const redirects = safeAddress(cancelUrl) !== null;
      const leadsBack = redirects || secureAddress(view.support.website) !== undefined;
      return (
        <>
          {!redirects && <WayBack {...model} />}
          <p class="ways">
            <a class={leadsBack ? undefined : 'button'} href={to()}>
              {words.keepPaying}
            </a>
          </p>
        </>
      );
    }
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
    case 'expired':
    case 'failed':
    case 'rejected':
      return <WayBack {...model} />;
  }
}

/** The website of the shop, if the shop gave no URL for this outcome. */
function WayBack({ stage, view, words }: OutcomeModel) {
  const website = secureAddress(view.support.website);
  if (website === undefined)
    return stage === 'paid' || stage === 'review' ? <p class="quiet">{words.closeHint}</p> : null;
  return (
    <p class="back">
      <a class="button" rel="noreferrer" href={website}>
        <span>
          {words.backTo.before}
          <bdi>{view.merchantName ?? words.unnamedMerchant}</bdi>
          {words.backTo.after}
        </span>
      </a>
    </p>
  );
}
