/** Says that rules stood in for models, where they did. */
export const RulesReplacedModelsNote = ({ offline }: { readonly offline: boolean }) =>
  offline ? (
    <p class="note">
      Rules stood in for models: the figures show that the machinery works, and say nothing about models.
    </p>
  ) : null;
