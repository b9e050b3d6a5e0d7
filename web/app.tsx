import { lazy, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { useMemo, useState } from 'preact/hooks';
import { findRunOfUnverifiedShareTokenOrNull } from '#core/access/share/shared-run.ts';
import { createClient } from '../client/client.ts';
import { ClientContext, forgetKey, SharedRunContext, storeKey, takeUrlKeyOrReadStoredKey } from './data/session.ts';
import { Home } from './pages/home.tsx';
import { NotFound } from './pages/not-found.tsx';
import { SharedHome } from './pages/shared-home.tsx';
import { SignIn } from './pages/sign-in.tsx';

const Exploration = lazy(() => import('./pages/exploration.tsx'));
const Unit = lazy(() => import('./pages/unit.tsx'));
const Evaluation = lazy(() => import('./pages/evaluation.tsx'));
const Case = lazy(() => import('./pages/case.tsx'));
const Offering = lazy(() => import('./pages/offering.tsx'));
const Tools = lazy(() => import('./pages/tools.tsx'));
const Server = lazy(() => import('./pages/server.tsx'));
const Reviews = lazy(() => import('./pages/reviews.tsx'));

/** The sign-in form; once there is a key, the pages. */
export function App() {
  const [key, setKey] = useState(takeUrlKeyOrReadStoredKey);
  const client = useMemo(() => (key === null ? null : createClient({ url: location.origin, key, retries: 2 })), [key]);
  const sharedRun = key === null ? null : findRunOfUnverifiedShareTokenOrNull(key);
  const signIn = (given: string): void => {
    storeKey(given);
    setKey(given);
  };
  const signOut = (): void => {
    forgetKey();
    setKey(null);
  };
  return (
    <ClientContext.Provider value={client}>
      <SharedRunContext.Provider value={sharedRun}>
        <LocationProvider scope={/^\/$|^\/(explorations|evaluations|servers)\//}>
          <Header onSignOut={key === null ? null : signOut} />
          <main id="main" tabIndex={-1}>
            {key === null ? (
              <SignIn onKey={signIn} />
            ) : (
              <Router>
                <Route path="/" component={sharedRun === null ? Home : SharedHome} />
                <Route path="/explorations/:id" component={Exploration} />
                <Route path="/explorations/:id/tools" component={Tools} kind="explorations" />
                <Route path="/explorations/:id/reviews" component={Reviews} />
                <Route path="/explorations/:id/units/:unit" component={Unit} />
                <Route path="/evaluations/:id" component={Evaluation} />
                <Route path="/evaluations/:id/tools" component={Tools} kind="evaluations" />
                <Route path="/evaluations/:id/offering" component={Offering} />
                <Route path="/evaluations/:id/cases/:case" component={Case} />
                <Route path="/servers/:id" component={Server} />
                <Route default component={NotFound} />
              </Router>
            )}
          </main>
        </LocationProvider>
      </SharedRunContext.Provider>
    </ClientContext.Provider>
  );
}

function Header({ onSignOut }: { readonly onSignOut: (() => void) | null }) {
  const { path } = useLocation();
  return (
    <header class="top">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <nav aria-label="Sextant">
        <a href="/" aria-current={path === '/' ? 'page' : undefined}>
          <strong>Sextant</strong>
        </a>
        <a href="/leaderboards">Leaderboards</a>
        <a href="/docs">API</a>
        {onSignOut !== null && (
          <button type="button" onClick={onSignOut}>
            Sign out
          </button>
        )}
      </nav>
    </header>
  );
}
