import { useState } from 'preact/hooks';
import { createClient } from '../../client/client.ts';
import { errorText } from '../data/use-loaded.ts';
import { useTitle } from '../parts/use-title.ts';

/** Takes a key, and passes it on once the API has accepted it. */
export function SignIn({ onKey }: { readonly onKey: (key: string) => void }) {
  useTitle('Sign in');
  const [problem, setProblem] = useState<string | null>(null);
  const tryKey = async (key: string): Promise<void> => {
    try {
      await createClient({ url: location.origin, key, retries: 0 }).explorations.list({ pageSize: 1 }).next();
      onKey(key);
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  return (
    <>
      <h1>Sign in</h1>
      <form
        class="sign-in"
        onSubmit={(event) => {
          event.preventDefault();
          const key = new FormData(event.currentTarget).get('key');
          if (typeof key === 'string' && key.trim() !== '') void tryKey(key.trim());
        }}
      >
        <label for="key">Your key</label>
        <input id="key" name="key" type="password" autocomplete="off" spellcheck={false} required />
        <button type="submit">Sign in</button>
      </form>
      {problem !== null && (
        <p class="note" role="alert">
          {problem}
        </p>
      )}
      <p class="faint">
        <code>npm start</code> prints the key of this machine. It is kept until you close this tab, and sent to this
        address alone.
      </p>
    </>
  );
}
