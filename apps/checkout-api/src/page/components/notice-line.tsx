import type { PageModel } from '../page-model';

type NoticeLineModel = Pick<PageModel, 'notice' | 'words'> & {
  /** An error belongs to a field; a notice is information. */
  readonly tone?: 'notice' | 'error';
};

/** The result of the last submitted form. */
export function NoticeLine({ notice, words, tone = 'notice' }: NoticeLineModel) {
  if (notice === undefined) return null;
  return (
    <p class={tone} role="alert" data-kept={notice === 'kept_late' ? '' : undefined}>
      {words.notices[notice]}
    </p>
  );
}
