import type { PaymentMethod } from '@pay/contracts';
import { GUIDES } from '../guide';
import { isTrxAnswer, pageAddress, type PageModel } from '../page-model';
import { NoticeLine } from './notice-line';

type TrxFormModel = PageModel & { readonly method: PaymentMethod };

/** The form for a TrxID: open if only a TrxID can identify the payment, otherwise behind a summary line. */
export function TrxForm(model: TrxFormModel) {
  const { method, words, step, stage } = model;
  const { trx, carriesReference } = GUIDES[method];
  if (!carriesReference && stage === 'pay') {
    return (
      <section class="card lead-card" aria-labelledby="trx-title">
        <h2 id="trx-title">{words.trxTitleFirst(trx.label)}</h2>
        <p class="quiet">{words.trxIntroFirst(trx.label)}</p>
        <Form {...model} />
      </section>
    );
  }
  const isLate = stage !== 'pay';
  return (
    <details
      // Without a script this page renews itself, which would take away what is being typed: there the form has a page of its own.
      class={!isLate && step === undefined ? 'card needs-script' : 'card'}
      open={step === 'trx' || isTrxAnswer(model)}
    >
      <summary>{isLate ? words.trxLate(trx.label) : words.trxSummary(trx.label)}</summary>
      {!isLate && <p class="quiet">{words.trxIntro(trx.label)}</p>}
      <Form {...model} />
    </details>
  );
}

function Form(model: TrxFormModel) {
  const { view, method, words, language } = model;
  const { trx } = GUIDES[method];
  return (
    <form method="post" action={pageAddress({ id: view.id, language, form: 'confirm' })} id="trx-form">
      <label for="trx">{words.trxLabel(trx.label)}</label>
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
        aria-invalid={model.notice === 'malformed' || model.notice === 'used' ? 'true' : undefined}
        aria-describedby="trx-answer trx-hint"
      />
      <div id="trx-answer" role="alert">
        {isTrxAnswer(model) && <NoticeLine notice={model.notice} words={words} />}
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
            aria-invalid={model.notice === 'malformed_digits' ? 'true' : undefined}
            aria-describedby="trx-answer payer-digits-hint"
          />
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
