import type { ComponentChildren } from 'preact';
import type { Dictionary } from '../dictionary';
import type { Language } from '../languages';
import { pageAddress, type PageModel } from '../page-model';
import { BanglaWord } from './bangla-word';

/** The logo is embedded, so that no other server receives a request about the payment. */
const LOGO = /^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+=*$/;

export function Header({ view, language, words, step }: PageModel) {
  const { logo } = view.branding;
  const name = view.merchantName ?? words.unnamedMerchant;
  const other = language === 'en' ? 'bn' : 'en';
  return (
    <header>
      {view.environment === 'SANDBOX' && <p class="test">{words.test}</p>}
      <p class="test offline" id="offline" hidden>
        {words.script.offline}
      </p>
      <TopBar
        words={words}
        name={name}
        logo={<Logo name={name} logo={logo} />}
        inOther={{ language: other, address: pageAddress({ id: view.id, language: other, step }) }}
      />
    </header>
  );
}

/** Shows the first letter of the name if there is no logo. */
function Logo({ name, logo }: { readonly name: string; readonly logo: string | null }) {
  if (logo !== null && LOGO.test(logo)) return <img src={logo} alt="" width="40" height="40" />;
  return (
    <span class="initial" aria-hidden="true">
      {[...new Intl.Segmenter().segment(name)][0]?.segment}
    </span>
  );
}

/** The same page in the other language. */
export interface InOther {
  readonly language: Language;
  readonly address: string;
}

interface TopBarModel {
  readonly words: Dictionary;
  readonly name: string;
  readonly logo?: ComponentChildren;
  readonly inOther: InOther;
}

export function TopBar({ words, name, logo, inOther }: TopBarModel) {
  return (
    <div class="top">
      <div class="shop">
        {logo}
        <bdi>{name}</bdi>
      </div>
      <a class="language" lang={inOther.language} hreflang={inOther.language} href={inOther.address}>
        {inOther.language === 'bn' ? <BanglaWord /> : words.otherLanguage}
      </a>
    </div>
  );
}
