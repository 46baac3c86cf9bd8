import type { PaymentMethod } from '@pay/contracts';
import { GUIDES } from '../guide';
import { isTrxAnswer, pageAddress, type PageModel } from '../page-model';
import { NoticeLine } from './notice-line';

type TrxFormModel = PageModel & { readonly method: PaymentMethod };

/** Collapsed, for late payments and those that are usually found without a TrxID. */
export function TrxDetails(model: TrxFormModel) {
  const { method, words, step, stage } = model;
  const { label } = GUIDES[method].trx;
  const isLate = stage !== 'pay';
  return (
    <details
      // Without a script this page reloads regularly and would discard the input, so the form has a separate page.
      class={!isLate && step === undefined ? 'card needs-script' : 'card'}
      open={step === 'trx' || isTrxAnswer(model)}
    >
      <summary>{isLate ? words.trxLate(label) : words.trxSummary(label)}</summary>
      {!isLate && <p class="quiet hint">{words.trxIntro(label)}</p>}
      <TrxForm {...model} />
    </details>
  );
}

/** Errors are shown below their field. The result of a claim is shown below the TrxID. */
export function TrxForm(model: TrxFormModel & { readonly isTitled?: boolean }) {
  const { view, method, words, language, notice, isTitled = false } = model;
  const { trx } = GUIDES[method];
  const isRefused = notice === 'malformed' || notice === 'used';
  const lacksDigits = notice === 'malformed_digits';
  return (
    <form method="post" action={pageAddress({ id: view.id, language, form: 'confirm' })} id="trx-form">
      <label for="trx" class={isTitled ? 'seen-not' : undefined}>
        {words.trxLabel(trx.label)}
      </label>
      <input
        id="trx"
        name="trxId"
        type="text"
        lang="en"
        required
        maxLength={500}
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        enterkeyhint="send"
        aria-invalid={isRefused ? 'true' : undefined}
        aria-describedby="trx-answer trx-hint"
      />
      <div id="trx-answer" role="alert">
        {isTrxAnswer(model) && !lacksDigits && (
          <NoticeLine notice={notice} words={words} tone={isRefused ? 'error' : 'notice'} />
        )}
      </div>
      <p class="quiet hint" id="trx-hint">
        {words.trxHint(trx.label, trx.example, trx.length)}
      </p>
      {view.payerDigitsRequired && (
        <>
          <label for="payer-digits">{words.payerDigitsLabel}</label>
          <input
            id="payer-digits"
            name="payerDigits"
            type="text"
            inputmode="numeric"
            lang="en"
            required
            maxLength={20}
            autocomplete="off"
            enterkeyhint="send"
            aria-invalid={lacksDigits ? 'true' : undefined}
            aria-describedby="payer-digits-answer payer-digits-hint"
          />
          <div id="payer-digits-answer" role="alert">
            {lacksDigits && <NoticeLine notice={notice} words={words} tone="error" />}
          </div>
          <p class="quiet hint" id="payer-digits-hint">
            {words.payerDigitsHint}
          </p>
        </>
      )}
      <button type="submit" class="primary">
        {words.trxSubmit}
      </button>
    </form>
  );
}
