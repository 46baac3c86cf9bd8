import { formatCountdown, formatMinute, formatTaka } from '../numbers';
import type { PageModel } from '../page-model';

/** Whom, how much, for what, until when: the same in every stage. */
export function Summary({ view, stage, language, words }: PageModel) {
  const merchant = view.merchantName ?? words.unnamedMerchant;
  const isOpen = stage === 'choose' || stage === 'pay' || stage === 'waiting';
  return (
    <section class="card summary">
      <h1>
        <span class="quiet">
          {words.payTo.before}
          <bdi>{merchant}</bdi>
          {words.payTo.after}
        </span>
        <span class="amount">{formatTaka(language, view.amount)}</span>
      </h1>
      {view.merchantReference !== null && (
        <p class="quiet order">
          {words.order} <bdi>{view.merchantReference}</bdi>
        </p>
      )}
      {isOpen && (
        <p class="time" id="time">
          <span class="by">{words.payBy(formatMinute(language, view.expiresAt))}</span>
          <span class="clock needs-script" role="timer" aria-label={words.timeLeft}>
            <span id="clock">
              {formatCountdown(language, Date.parse(view.expiresAt) - Date.parse(view.serverTime))}
            </span>
          </span>
        </p>
      )}
    </section>
  );
}
