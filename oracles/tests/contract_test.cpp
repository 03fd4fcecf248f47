// The contract's text form: parse and print as inverse functions, overrides and differences, and every refusal by its
// words.
#include "oracles/contract.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "oracles/contract_words.hpp"
#include "oracles/error.hpp"

namespace normcheck {

void showValue(const Contract& contract, std::ostream& stream) {
    stream << print(contract);
}

namespace {

std::string canonical(const std::string& text) {
    return print(parse_contract(text));
}

std::string overridden(const std::string& base, const std::string& overrides) {
    return print(with_overrides(parse_contract(base), overrides));
}

std::string difference_of(const std::string& contract, const std::string& base) {
    return difference(parse_contract(contract), parse_contract(base));
}

std::string refusal(const std::string& text) {
    try {
        parse_contract(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

void expect_refusal(const std::string& text, const std::vector<std::string>& parts) {
    const std::string message = refusal(text);
    for (const std::string& part : parts) {
        EXPECT_NE(message.find(part), std::string::npos) << text << " -> " << message << "\nlacks: " << part;
    }
}

template <class Choice>
Choice any_of(int count) {
    return static_cast<Choice>(*rc::gen::inRange(0, count));
}

template <class Choice>
void draw(Choice& field, FieldId id) {
    field = any_of<Choice>(static_cast<int>(choices(id).size()));
}

FormatId any_format() {
    return any_of<FormatId>(format_count);
}

Eps any_eps() {
    const FormatId id = any_format();
    return {decode_double(format(id), *rc::gen::inRange(uint64_t{0}, format(id).inf_code())), id};
}

Reduce any_reduce() {
    const auto order = any_of<Order>(4);
    return {order, order == Order::lanes ? *rc::gen::inRange(1, 1 << 20) : 0};
}

Rsqrt any_rsqrt() {
    const auto kind = any_of<RsqrtKind>(3);
    return {kind, kind == RsqrtKind::exact ? 0.0 : *rc::gen::inRange(0, 1000) / 1024.0};
}

void draw_formats(Contract& c) {
    for (FormatId* field : {&c.x, &c.params, &c.acc, &c.moments, &c.y, &c.stats}) *field = any_format();
}

void draw_plain_choices(Contract& c) {
    draw(c.norm, FieldId::norm);
    draw(c.gamma, FieldId::gamma);
    draw(c.beta, FieldId::beta);
    draw(c.residual, FieldId::residual);
    draw(c.subnormals, FieldId::subnormals);
    draw(c.range, FieldId::range);
    draw(c.overflow, FieldId::overflow);
    draw(c.inf, FieldId::inf);
    draw(c.batch_invariant, FieldId::batch_invariant);
    draw(c.in_place, FieldId::in_place);
}

// Fields that make sense only beside certain values of others, drawn where they do.
void draw_dependent_choices(Contract& c) {
    draw(c.eps_at, FieldId::eps_at);
    if (c.norm == Norm::layer && c.eps_at == EpsAt::max_norm) c.eps_at = EpsAt::none;
    if (c.norm == Norm::layer) draw(c.apply, FieldId::apply);
    if (c.norm == Norm::layer) draw(c.variance, FieldId::variance);
    if (c.gamma != Gamma::none) draw(c.cast, FieldId::cast);
    if (c.gamma != Gamma::one_plus) return;
    const int offset = *rc::gen::inRange(0, format_count + 1);
    c.offset_in = offset == format_count ? std::nullopt : std::optional(static_cast<FormatId>(offset));
}

bool is_valid(const Contract& contract) {
    try {
        validate(contract);
        return true;
    } catch (const InputError&) {
        return false;
    }
}

void draw_stored(Contract& c) {
    for (std::optional<FormatId>& stored : c.stored) {
        if (*rc::gen::inRange(0, 3) != 0) continue;
        stored = any_format();
        if (!is_valid(c)) stored.reset();
    }
}

rc::Gen<Contract> any_contract() {
    return rc::gen::exec([] {
        Contract contract;
        draw_plain_choices(contract);
        draw_dependent_choices(contract);
        draw_formats(contract);
        contract.eps = any_eps();
        contract.reduce = any_reduce();
        contract.rsqrt = any_rsqrt();
        draw_stored(contract);
        return contract;
    });
}

// Half of the fields' words, so that defaults and their following are met often.
rc::Gen<Contract> mostly_default_contract() {
    return rc::gen::exec([] {
        const Contract full = *any_contract();
        std::string words;
        std::istringstream stream(print(full));
        for (std::string word; stream >> word;) {
            if (word == "layer" || *rc::gen::inRange(0, 2) == 0) words += word + " ";
        }
        try {
            return parse_contract(words);
        } catch (const InputError&) {
            return full;
        }
    });
}

RC_GTEST_PROP(Contract, ParsingWhatIsPrintedGivesTheContractBack, ()) {
    const Contract contract = *any_contract();
    RC_ASSERT(parse_contract(print(contract)) == contract);
}

RC_GTEST_PROP(Contract, PrintingWhatWasParsedFromPrintedTextGivesTheTextBack, ()) {
    const std::string text = print(*mostly_default_contract());
    RC_ASSERT(canonical(text) == text);
}

RC_GTEST_PROP(Contract, NoPrintedWordCanBeLeftOut, ()) {
    const Contract contract = *mostly_default_contract();
    std::istringstream stream(print(contract));
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    for (size_t left_out = 1; left_out < words.size(); ++left_out) {
        std::string text;
        for (size_t i = 0; i < words.size(); ++i) text += i == left_out ? "" : words[i] + " ";
        const bool still_the_same = refusal(text) == "accepted" && parse_contract(text) == contract;
        RC_ASSERT(!still_the_same);
    }
}

RC_GTEST_PROP(Contract, LayingTheDifferenceOverTheBaseGivesTheContract, ()) {
    const Contract contract = *mostly_default_contract();
    const Contract base = *mostly_default_contract();
    RC_ASSERT(with_overrides(base, difference(contract, base)) == contract);
    RC_ASSERT(difference(contract, contract).empty());
}

RC_GTEST_PROP(Contract, OverridingWithNothingOrEverythingChangesNothing, ()) {
    const Contract contract = *any_contract();
    RC_ASSERT(with_overrides(contract, "") == contract);
    RC_ASSERT(with_overrides(contract, print(contract)) == contract);
}

TEST(Contract, TheDefaultsOfTheTableAreTheDefaultsOfTheType) {
    EXPECT_EQ(parse_contract(""), Contract{});
    EXPECT_EQ(print(Contract{}), "rms");
}

TEST(Contract, EveryAlternativeOfEveryFieldReadsBackAsItself) {
    for (const FieldInfo& row : contract_fields()) {
        for (const std::string& choice : choices(row.id)) {
            if (choice.find_first_of("FPN:") != std::string::npos) continue;
            Contract contract;
            set_field(contract, row.id, choice);
            EXPECT_EQ(field_text(contract, row.id), choice) << row.name;
        }
    }
}

TEST(Contract, AlternativesStandInTheOrderOfTheirEnumerators) {
    EXPECT_EQ(parse_contract("eps_at=max_norm").eps_at, EpsAt::max_norm);
    EXPECT_STREQ(name(EpsAt::on_count), "on_count");
    EXPECT_EQ(parse_contract("layer apply=folded variance=one_pass").variance, Variance::one_pass);
    EXPECT_EQ(parse_contract("gamma=one_plus").gamma, Gamma::one_plus);
    EXPECT_EQ(parse_contract("cast=before_gamma").cast, Cast::before_gamma);
    EXPECT_EQ(parse_contract("residual=rounded").residual, Residual::rounded);
    EXPECT_EQ(parse_contract("subnormals=flush_both").subnormals, Subnormals::flush_both);
    EXPECT_EQ(parse_contract("range=full").range, Range::full);
    EXPECT_EQ(parse_contract("overflow=saturate").overflow, Overflow::saturate);
    EXPECT_EQ(parse_contract("inf=nan_row").inf, InfRule::nan_row);
    EXPECT_EQ(parse_contract("beta=add").beta, Beta::add);
    EXPECT_TRUE(parse_contract("in_place=yes").in_place);
}

TEST(Contract, PrintsCanonicallyAndLeavesDefaultsOut) {
    EXPECT_EQ(canonical("norm=layer"), "layer");
    EXPECT_EQ(canonical("eps=1e-5  layer\tbeta=add gamma=mul"), "layer eps=1e-05 beta=add");
    EXPECT_EQ(canonical("eps=0x1p-23"), "rms eps=1.1920929e-07");
    EXPECT_EQ(canonical("eps=1e-5:bf16"), "rms eps=1e-05:bf16");
    EXPECT_EQ(canonical("eps=1e-6:f32"), "rms");
    EXPECT_EQ(canonical("stored=rstd:f16,var:bf16"), "rms stored=var:bf16,rstd:f16");
    EXPECT_EQ(canonical("reduce=lanes:8 rsqrt=ulp:2"), "rms reduce=lanes:8 rsqrt=ulp:2");
    EXPECT_EQ(canonical("gamma=one_plus offset_in=exact"), "rms gamma=one_plus offset_in=exact");
}

TEST(Contract, FormatsThatAreNotNamedFollow) {
    EXPECT_EQ(parse_contract("x=bf16").params, FormatId::bf16);
    EXPECT_EQ(parse_contract("x=bf16").y, FormatId::bf16);
    EXPECT_EQ(parse_contract("x=bf16").acc, FormatId::f32);
    EXPECT_EQ(parse_contract("x=f64").stats, FormatId::f64);
    EXPECT_EQ(parse_contract("acc=f16").stats, FormatId::f16);
    EXPECT_EQ(canonical("x=f16 y=f16 params=f16 moments=f64 stats=f64"), "rms x=f16 moments=f64");
}

TEST(Contract, OverridesMoveWhatFollowsAndKeepWhatWasNamed) {
    EXPECT_EQ(overridden("layer", "x=bf16"), "layer x=bf16");
    EXPECT_EQ(overridden("layer y=f32 x=f16", "x=bf16"), "layer x=bf16 y=f32");
    EXPECT_EQ(overridden("layer x=f16 y=f32 acc=f16", "x=f64"), "layer x=f64 acc=f16 y=f32");
    EXPECT_EQ(overridden("layer eps=1e-3", "eps=1e-6"), "layer");
    EXPECT_EQ(overridden("layer", "rms"), "rms");
}

TEST(Contract, TheDifferenceNamesResetsToDefaultsToo) {
    EXPECT_EQ(difference_of("layer", "layer variance=welford eps=1e-5"), "eps=1e-06 variance=two_pass");
    EXPECT_EQ(difference_of("rms x=bf16", "rms"), "x=bf16");
    EXPECT_EQ(difference_of("rms x=bf16 y=f32", "rms"), "x=bf16 y=f32");
    EXPECT_EQ(difference_of("rms", "layer"), "rms");
    EXPECT_EQ(difference_of("rms", "rms stored=rstd:f16"), "stored=none");
}

TEST(Contract, RefusesWordsItDoesNotKnow) {
    expect_refusal("epss=1", {"'epss'", "'epss=1'", "eps_at"});
    expect_refusal("rms fast", {"'fast'", "rms or layer"});
    expect_refusal("rms layer", {"'norm'", "'layer'", "once"});
    expect_refusal("eps=1e-5 eps=1e-5", {"'eps'", "once"});
    expect_refusal("norm=group", {"norm", "'group'", "rms | layer"});
    expect_refusal("=f32", {"''", "'=f32'"});
}

TEST(Contract, RefusesValuesAFieldDoesNotTake) {
    expect_refusal("eps_at=outsid", {"eps_at", "'outsid'", "outside"});
    expect_refusal("gamma=", {"gamma", "''", "one_plus"});
    expect_refusal("x=f8", {"x", "'f8'", "f64, f32, f16, bf16"});
    expect_refusal("gamma=one_plus offset_in=half", {"offset_in", "'half'", "exact"});
    expect_refusal("in_place=maybe", {"in_place", "'maybe'", "no | yes"});
    for (const char* lanes : {"0", "-1", "", "8x", "99999999999", "2000000"}) {
        expect_refusal(std::string("reduce=lanes:") + lanes, {"reduce", std::string("'") + lanes + "'", "lanes:N"});
    }
    expect_refusal("reduce=lanes", {"reduce", "'lanes'", "lanes:N"});
    expect_refusal("reduce=tree:2", {"reduce", "'tree:2'"});
}

TEST(Contract, RefusesEpsilonsThatAreNone) {
    expect_refusal("eps=-1", {"eps: '-1' is negative; expected a number >= 0"});
    expect_refusal("eps=nan", {"eps", "'nan'", ">= 0"});
    expect_refusal("eps=inf", {"eps", "'inf'", "finite"});
    expect_refusal("eps=1e39", {"eps", "'1e39'", "f32"});
    expect_refusal("eps=1e5:f16", {"eps", "'1e5'", "f16"});
    expect_refusal("eps=", {"eps", "''", "not a number"});
    expect_refusal("eps=1e-5:f8", {"eps", "'f8'", "bf16"});
    EXPECT_EQ(refusal("eps=0"), "accepted");
    EXPECT_EQ(refusal("eps=1e39:f64"), "accepted");
}

TEST(Contract, RefusesRootErrorsThatAreNone) {
    expect_refusal("rsqrt=fast", {"rsqrt", "'fast'", "ulp:NUMBER"});
    expect_refusal("rsqrt=ulp:-2", {"rsqrt", "'-2'", "negative"});
    expect_refusal("rsqrt=ulp:x", {"rsqrt", "'x'", "not a number"});
    expect_refusal("rsqrt=abs:1", {"rsqrt", "'abs:1'", "rel:NUMBER"});
    expect_refusal("rsqrt=rel:1", {"rsqrt", "below 1"});
}

TEST(Contract, RefusesStoredPointsThatAreNone) {
    expect_refusal("stored=sqrt:f16", {"stored", "'sqrt'", "radicand"});
    expect_refusal("stored=rstd", {"stored", "'rstd'", "POINT:FORMAT"});
    expect_refusal("stored=rstd:f8", {"stored", "'f8'", "f16"});
    expect_refusal("stored=rstd:f16,rstd:f16", {"stored", "'rstd'", "twice"});
    expect_refusal("stored=rstd:f16,", {"stored", "''", "rstd"});
}

TEST(Contract, RefusesContradictions) {
    for (const char* text : {"rms apply=folded", "rms variance=welford", "rms stored=mean:f16",
                             "rms stored=centred:f16", "layer eps_at=max_norm"}) {
        expect_refusal(text, {text[0] == 'r' ? "needs layer" : "needs rms"});
    }
    expect_refusal("layer stored=shift:f16", {"shift", "apply=folded"});
    expect_refusal("layer apply=folded stored=centred:f16", {"centred", "apply=centred"});
    expect_refusal("stored=denominator:f16", {"denominator", "eps_at=outside"});
    expect_refusal("stored=radicand:f16 eps_at=outside", {"radicand", "under the root"});
    expect_refusal("offset_in=exact", {"offset_in", "gamma=one_plus"});
    expect_refusal("gamma=none cast=before_gamma", {"cast=before_gamma", "gamma=none"});
}

TEST(Contract, AcceptsWhatLooksContradictoryButIsNot) {
    for (const char* text : {"stored=denominator:f16 eps_at=max_std", "stored=radicand:f16 eps_at=none",
                             "layer apply=folded stored=shift:bf16,mean:bf16", "rms eps_at=max_norm stored=var:f32",
                             "eps_at=none eps=1e-3", "gamma=one_plus offset_in=bf16 cast=before_gamma"}) {
        EXPECT_EQ(refusal(text), "accepted");
    }
}

TEST(Contract, ValidateRefusesContractsThatNoTextDescribes) {
    Contract lanes;
    lanes.reduce.lanes = 4;
    EXPECT_THROW(validate(lanes), InputError);
    lanes.reduce = {Order::lanes, 0};
    EXPECT_THROW(validate(lanes), InputError);
    Contract rsqrt;
    rsqrt.rsqrt.error = 1;
    EXPECT_THROW(validate(rsqrt), InputError);
    rsqrt.rsqrt = {RsqrtKind::ulp, -1};
    EXPECT_THROW(validate(rsqrt), InputError);
    Contract eps;
    eps.eps.value = 1e-6;
    EXPECT_THROW(validate(eps), InputError);
}

TEST(Contract, KnowsItsFields) {
    EXPECT_TRUE(is_contract_field("eps_at"));
    EXPECT_FALSE(is_contract_field("rows"));
    EXPECT_EQ(contract_fields().size(), static_cast<size_t>(field_count));
}

}  // namespace
}  // namespace normcheck
