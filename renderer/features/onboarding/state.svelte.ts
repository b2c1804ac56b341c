/**
 * The first start lasts until the user chooses where to go, although a connection already exists.
 */
class Onboarding {
  isUnfinished = $state(false);
}

export const onboarding = new Onboarding();
