import { pageAddress, type PageModel } from '../page-model';
import { BanglaWord } from './bangla-word';

/** The logo is embedded in the page, so that no other server learns who pays where. */
const LOGO = /^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+=*$/;

export function Header({ view, language, words, step }: PageModel) {
  const { logo } = view.branding;
  const other = language === 'en' ? 'bn' : 'en';
  return (
    <header>
      {view.environment === 'SANDBOX' && <p class="test">{words.test}</p>}
      <p class="test offline" id="offline" hidden>
        {words.script.offline}
      </p>
      <div class="top">
        <div class="shop">
          {logo !== null && LOGO.test(logo) && <img src={logo} alt="" width="40" height="40" />}
          <bdi>{view.merchantName ?? words.unnamedMerchant}</bdi>
        </div>
        <a class="language" lang={other} hreflang={other} href={pageAddress({ id: view.id, language: other, step })}>
          {other === 'bn' ? <BanglaWord /> : words.otherLanguage}
        </a>
      </div>
    </header>
  );
}
