import { formatCountdown, formatMinute, formatTaka } from '../numbers';
import type { PageModel } from '../page-model';

/** A paid intent has a receipt instead. */
export function Summary({ view, stage, language, words }: PageModel) {
  const merchant = view.merchantName ?? words.unnamedMerchant;
  const isOpen = stage === 'choose' || stage === 'pay' || stage === 'waiting';
  return (
    <section class="card summary">
      <div class="row">
        <h1>
          <span class="quiet">
            {words.payTo.before}
            <bdi>{merchant}</bdi>
            {words.payTo.after}
          </span>
          <span class="amount">{formatTaka(language, view.amount)}</span>
        </h1>
        {isOpen && (
          <span class="clock needs-script" role="timer" aria-label={words.timeLeft} data-open>
            <span id="clock">
              {formatCountdown(language, Date.parse(view.expiresAt) - Date.parse(view.serverTime))}
            </span>
          </span>
        )}
      </div>
      <div class="row minor">
        {view.merchantReference !== null && (
          <p class="quiet">
            {words.order} <bdi>{view.merchantReference}</bdi>
          </p>
        )}
        {isOpen && <p data-open>{words.payBy(formatMinute(language, view.expiresAt))}</p>}
      </div>
    </section>
  );
}
