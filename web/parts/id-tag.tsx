import { useState } from 'preact/hooks';
import { copyIfAllowed } from '../data/copy-text.ts';
import { UntrustedText } from './outside-text.tsx';

const shownEnd = 6;

/** An id, cut to what tells it from others; a click copies all of it. */
export function IdTag({ id }: { readonly id: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const kind = /^[a-z]+_/.exec(id)?.[0] ?? '';
  const short = id.length > shownEnd + 8 ? `${kind}…${id.slice(-shownEnd)}` : id;
  return (
    <button type="button" class="tag" title={id} onClick={() => void copyIfAllowed(id).then(setIsCopied)}>
      {isCopied ? 'copied' : <UntrustedText text={short} />}
      <span class="hidden"> copy this id</span>
    </button>
  );
}
