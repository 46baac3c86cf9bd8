import type { PageModel } from '../page-model';

/** Empty if the shop has no contacts. */
export function Contact({ view, words }: Pick<PageModel, 'view' | 'words'>) {
  const { phone, email, website } = view.support;
  if (phone === null && email === null && website === null) return null;
  return (
    <div class="contact">
      <p class="quiet">
        {words.contact.before}
        <bdi>{view.merchantName ?? words.unnamedMerchant}</bdi>
        {words.contact.after}
      </p>
      <p class="links">
        {phone !== null && (
          <a lang="en" href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
            {phone}
          </a>
        )}
        {email !== null && (
          <a lang="en" href={`mailto:${email}`}>
            {email}
          </a>
        )}
        {website !== null && (
          <a lang="en" rel="noreferrer" href={secureAddress(website)}>
            {website.replace(/^https:\/\/|\/$/gi, '')}
          </a>
        )}
      </p>
    </div>
  );
}

/** Only https links are shown, regardless of the stored value. */
export function secureAddress(url: string | null): string | undefined {
  return url !== null && /^https:\/\//i.test(url) ? url : undefined;
}
