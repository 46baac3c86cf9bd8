import { methodName, pageAddress, type PageModel } from '../page-model';
import { Mark } from './mark';
import { NoticeLine } from './notice-line';

/** None is chosen beforehand: a customer who only presses on would pay from a wallet that is not theirs. */
export function ChooseMethod(model: PageModel) {
  const { view, words, language } = model;
  return (
    <section class="card">
      <form method="post" action={pageAddress({ id: view.id, language, form: 'method' })} id="choose">
        <fieldset class="choices">
          <legend>
            <h2>{words.chooseTitle}</h2>
          </legend>
          <NoticeLine {...model} />
          {view.paymentMethods.map((method) => (
            <label class="choice" key={method}>
              <input type="radio" name="paymentMethod" value={method} />
              <Mark method={method} />
              <span>{methodName(words, method)}</span>
            </label>
          ))}
        </fieldset>
        <p class="quiet hint">{words.chooseHint}</p>
        <button type="submit" class="primary">
          {words.continue}
        </button>
      </form>
    </section>
  );
}
