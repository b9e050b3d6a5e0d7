/** The answer to an address that no page has. */
export const NotFound = () => (
  <>
    <h1>There is no such page</h1>
    <p>
      <a href="/">All runs</a>
    </p>
  </>
);
