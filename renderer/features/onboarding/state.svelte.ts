/** The first start lasts until the person says where to go, though a connection exists by then. */
class Onboarding {
  isUnfinished = $state(false);
}

export const onboarding = new Onboarding();
