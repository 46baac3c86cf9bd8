import { GUIDES } from '../guide';
import { formatMoment } from '../numbers';
import { methodName, type PageModel } from '../page-model';

/** The script fills in values that only a paid intent has. */
export function Receipt({ view, words, language }: PageModel) {
  const { paymentMethod: method, trxId, paidAt, customerReference } = view;
  return (
    <>
      <dl class="receipt" aria-label={words.receipt.title}>
        <Row name={words.receipt.method} value={method && methodName(words, method)} field="paymentMethod" />
        <Row name={method ? GUIDES[method].trx.label : 'TrxID'} value={trxId} field="trxId" />
        <Row name={words.reference} value={customerReference} />
        <Row name={words.receipt.time} value={paidAt && formatMoment(language, paidAt)} field="paidAt" />
      </dl>
      <button type="button" class="secondary needs-script" data-print>
        {words.receipt.print}
      </button>
    </>
  );
}

interface RowModel {
  readonly name: string;
  readonly value: string | null;
  /** Field of the view that the script copies here. */
  readonly field?: string;
}

function Row({ name, value, field }: RowModel) {
  return (
    <div hidden={value === null}>
      <dt>{name}</dt>
      <dd data-field={field}>{value}</dd>
    </div>
  );
}
